import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import { makeOneTimeLink, requirePasswordChange, unlockUser } from '#src/authentication/index.js';
import { changeTotp } from '#src/authentication/second-factor/index.js';
import { endSessions } from '#src/sessions/end-sessions.js';
import { editorOf, inOrganization, overPerson } from '../http/caller.js';
import { noContent, pageOf, problems, security, strictObject, timestamp } from '../http/schemas.js';
import { userOfPath } from '../http/user-of-path.js';
import type { AdminNeeds } from '../needs/needs.js';
import { linkDelivery, mailOneTimeLink } from '../sign-in/link-delivery.js';

/** What these routes use. */
type Deps = Pick<
  AdminNeeds,
  | 'accounts'
  | 'caches'
  | 'clock'
  | 'codeAttempts'
  | 'config'
  | 'events'
  | 'logger'
  | 'loginAttempts'
  | 'mailLink'
  | 'mongo'
  | 'oneTimeLinks'
  | 'projectMembers'
  | 'refreshTokens'
  | 'revocations'
  | 'sessions'
  | 'users'
>;

const userParams = Type.Object({
  orgId: Type.String({ minLength: 1, maxLength: 200, description: 'Organization' }),
  id: Type.String({ minLength: 1, maxLength: 200, description: 'User' }),
});
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
const oneTimeLink = Type.Object({ url: Type.String(), expires: timestamp }, { title: 'OneTimeLink' });
const nothing = strictObject({}, { examples: [{}] });
const linkBody = strictObject(
  { delivery: linkDelivery('`answer` returns the link. `mail` sends it to the user, and returns 204') },
  { examples: [{}] },
);

const tags = ['users'];

/** Routes for the access of users: one-time links, locks, the second factor and sessions. */
export function userAccessRoutes(deps: Deps): FastifyPluginAsyncTypebox {
  const { sessions, config } = deps;
  const mayRead = inOrganization(deps, 'user.read');
  const mayWrite = inOrganization(deps, 'user.write');
  const mayChangeCredentials = [mayWrite, overPerson(deps, 'credentials')];
  const mayChange = [mayWrite, overPerson(deps, 'change')];
  const common = { tags, security, params: userParams };
  const done = { 204: noContent, ...problems(404) };

  return async (app) => {
    app.post(
      '/orgs/:orgId/users/:id/one-time-links',
      {
        onRequest: mayChangeCredentials,
        schema: {
          ...common,
          operationId: 'addOneTimeLink',
          summary:
            'Make a link with which the user sets a password, once and within 24 hours; earlier links stop working',
          body: linkBody,
          response: { 201: oneTimeLink, 204: noContent, ...problems(404, 409, 429, 503) },
        },
      },
      async (request, reply) => {
        const { orgId, id: userId } = request.params;
        const of = { orgId, userId, editor: editorOf(request) };
        if (request.body.delivery === 'mail') {
          await mailOneTimeLink(deps, of);
          return reply.code(204).send(null);
        }
        const link = await makeOneTimeLink(deps, of);
        const url = `${config.baseUrl}/login/password?token=${link.secret}`;
        return reply.code(201).send({ url, expires: link.expires.toISOString() });
      },
    );

    app.post(
      '/orgs/:orgId/users/:id/require-password-change',
      {
        onRequest: mayChangeCredentials,
        schema: {
          ...common,
          operationId: 'requirePasswordChange',
          summary: 'Make the user choose another password at the next login',
          body: nothing,
          response: done,
        },
      },
      async (request, reply) => {
        await requirePasswordChange(deps, { ...request.params, editor: editorOf(request) });
        return reply.code(204).send(null);
      },
    );

    app.post(
      '/orgs/:orgId/users/:id/unlock',
      {
        onRequest: mayChangeCredentials,
        schema: {
          ...common,
          operationId: 'unlockUser',
          summary: 'Unlock the user: forget the failed sign-ins',
          body: nothing,
          response: done,
        },
      },
      async (request, reply) => {
        await unlockUser(deps, { ...request.params, editor: editorOf(request) });
        return reply.code(204).send(null);
      },
    );

    app.delete(
      '/orgs/:orgId/users/:id/totp',
      {
        onRequest: mayChangeCredentials,
        schema: {
          ...common,
          operationId: 'removeTotp',
          summary:
            'Remove the second factor of a user who lost it, and end every session and token of the user',
          response: done,
        },
      },
      async (request, reply) => {
        await changeTotp(deps, { ...request.params, totp: undefined, editor: editorOf(request) });
        return reply.code(204).send(null);
      },
    );

    app.get(
      '/orgs/:orgId/users/:id/sessions',
      {
        onRequest: mayRead,
        schema: {
          ...common,
          operationId: 'listSessions',
          summary: 'List where the user is signed in, the latest authentication first',
          response: { 200: pageOf(session), ...problems(404) },
        },
      },
      async (request) => {
        const { id } = await userOfPath(deps, request.params);
        const items = (await sessions.ofUser(id)).map((found) => ({
          id: found.id,
          created: found.created.toISOString(),
          authTime: found.authTime.toISOString(),
          lastUsed: found.lastUsed.toISOString(),
          expires: found.expires.toISOString(),
          ...(found.device && { device: found.device }),
          amr: [...found.amr],
        }));
        return { items };
      },
    );

    app.delete(
      '/orgs/:orgId/users/:id/sessions',
      {
        onRequest: mayChange,
        schema: {
          ...common,
          operationId: 'endSessions',
          summary:
            'Sign the user out everywhere; access tokens of the sessions and all refresh tokens are revoked',
          response: done,
        },
      },
      async (request, reply) => {
        const user = await userOfPath(deps, request.params);
        await endSessions(deps, { user, editor: editorOf(request) });
        return reply.code(204).send(null);
      },
    );

    app.delete(
      '/orgs/:orgId/users/:id/sessions/:sessionId',
      {
        onRequest: mayChange,
        schema: {
          ...common,
          operationId: 'endUserSession',
          summary: 'End one session; access and refresh tokens of it are revoked. Harmless when it has ended',
          params: sessionParams,
          response: done,
        },
      },
      async (request, reply) => {
        const user = await userOfPath(deps, request.params);
        const { sessionId } = request.params;
        await endSessions(deps, { user, sessionId, editor: editorOf(request) });
        return reply.code(204).send(null);
      },
    );
  };
}
