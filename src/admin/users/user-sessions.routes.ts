import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import { amrOf } from '#src/authentication/proofs/index.js';
import { endSessions } from '#src/sessions/end-sessions.js';
import type { Session } from '#src/sessions/session.js';
import { inOrganization, overPerson } from '../http/caller.js';
import { objectRoutes, resourceRoutes } from '../http/resource-routes.js';
import { pageOf, timestamp, userParams } from '../http/schemas.js';
import { userOfPath } from '../http/user-of-path.js';
import type { AdminNeeds } from '../needs/needs.js';

const sessionParams = Type.Object({
  ...userParams.properties,
  sessionId: Type.String({ minLength: 1, maxLength: 200 }),
});

const session = Type.Object(
  {
    id: Type.String({ description: 'The `sid` of ID tokens' }),
    created: timestamp,
    authTime: timestamp,
    lastUsed: timestamp,
    expires: timestamp,
    device: Type.Optional(
      Type.Object(
        {
          browser: Type.Optional(Type.String()),
          system: Type.Optional(Type.String({ description: 'Operating system' })),
          address: Type.Optional(Type.String({ description: 'Network address' })),
        },
        { description: 'Where the user signed in, as far as the browser says' },
      ),
    ),
    amr: Type.Array(Type.String(), { description: 'How the person proved who they are (RFC 8176)' }),
  },
  { title: 'Session' },
);

/** Routes for the sessions of a user. */
export function userSessionRoutes(
  deps: Pick<
    AdminNeeds,
    | 'caches'
    | 'clock'
    | 'events'
    | 'mongo'
    | 'projectMembers'
    | 'refreshTokens'
    | 'revocations'
    | 'sessions'
    | 'users'
  >,
): FastifyPluginAsyncTypebox {
  const mayChange = [inOrganization(deps, 'user.write'), overPerson(deps, 'change')];

  return async (app) => {
    const kind = { tags: ['users'], shown: session, toResponse };
    const all = { path: '/orgs/:orgId/users/:id/sessions', params: userParams };
    const one = { path: '/orgs/:orgId/users/:id/sessions/:sessionId', params: sessionParams };
    const routes = resourceRoutes(app, { ...kind, all, one });
    routes.listAll({
      onRequest: inOrganization(deps, 'user.read'),
      operationId: 'listSessions',
      summary: 'List where the user is signed in, the latest authentication first',
      answer: pageOf(session),
      async all(target) {
        const { id } = await userOfPath(deps, target);
        return deps.sessions.ofUser(id);
      },
    });
    objectRoutes(app, { ...kind, ...all }).remove({
      onRequest: mayChange,
      operationId: 'endSessions',
      summary:
        'Sign the user out everywhere; access tokens of the sessions and all refresh tokens are revoked',
      async run({ editor, ...target }) {
        await endSessions(deps, { user: await userOfPath(deps, target), editor });
      },
    });
    routes.remove({
      onRequest: mayChange,
      operationId: 'endUserSession',
      summary: 'End one session; access and refresh tokens of it are revoked. Harmless when it has ended',
      async run({ sessionId, editor, ...target }) {
        await endSessions(deps, { user: await userOfPath(deps, target), sessionId, editor });
      },
    });
  };
}

function toResponse({ id, created, authTime, lastUsed, expires, device, proofs }: Session) {
  return {
    id,
    created: created.toISOString(),
    authTime: authTime.toISOString(),
    lastUsed: lastUsed.toISOString(),
    expires: expires.toISOString(),
    ...(device && { device }),
    amr: amrOf(proofs),
  };
}
