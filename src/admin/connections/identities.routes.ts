import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import {
  identitiesOf,
  linkWaiting,
  type ShownIdentity,
  unlinkIdentity,
  waitingOutcomes,
} from '#src/connections/identities/index.js';
import { signOutOfIdentity } from '#src/sessions/sign-out.js';
import { editorOf, inOrganization, overPerson } from '../http/caller.js';
import { resourceRoutes } from '../http/resource-routes.js';
import { pageOf, problems, security, strictObject, userParams } from '../http/schemas.js';
import { userOfPath } from '../http/user-of-path.js';
import type { AdminNeeds } from '../needs/needs.js';
import { connectionParams } from './connection-schemas.js';

/** What these routes use. */
type Deps = Pick<
  AdminNeeds,
  | 'ableOwners'
  | 'accounts'
  | 'caches'
  | 'clock'
  | 'events'
  | 'identityLinks'
  | 'logoutHints'
  | 'providerSessions'
  | 'mongo'
  | 'projectMembers'
  | 'refreshTokens'
  | 'sessions'
  | 'userMetadata'
  | 'users'
>;

const identity = Type.Object(
  {
    connectionId: Type.String(),
    connection: Type.Optional(
      Type.String({ description: 'The name of the connection. Absent if it is gone' }),
    ),
    subject: Type.String({ description: 'The identifier of the person at the provider' }),
  },
  { title: 'Identity' },
);

const identityParams = Type.Object({
  ...userParams.properties,
  connectionId: Type.String({ minLength: 1, maxLength: 200, description: 'Connection' }),
});
const waitingQuery = strictObject(
  {
    provider: Type.String({
      minLength: 1,
      maxLength: 500,
      description: 'The alias or issuer of the provider in the system that the people came from',
    }),
    dryRun: Type.Optional(Type.Boolean({ description: 'Whether nothing is written' })),
    after: Type.Optional(
      Type.String({ minLength: 1, maxLength: 500, description: '`next` of the page before' }),
    ),
  },
  { examples: [{ provider: 'google-oauth2', dryRun: true }] },
);
const waitingPage = Type.Object({
  items: Type.Array(
    Type.Object({
      userId: Type.String(),
      subject: Type.Optional(Type.String()),
      outcome: Type.Enum(waitingOutcomes, {
        description:
          'linked; had: the person has it; taken: another person has it; full: the person has 20; hasRole: metadata links nobody with a role; gone: there is no such person; unreadable: the metadata has another form',
      }),
    }),
  ),
  next: Type.Optional(Type.String({ description: 'Absent on the last page' })),
});
const path = '/orgs/:orgId/users/:id/identities';

/** Routes for the identities by which a person signs in at outside providers. */
export function identityRoutes(deps: Deps): FastifyPluginAsyncTypebox {
  return async (app) => {
    const routes = resourceRoutes(app, {
      tags: ['connections'],
      all: { path, params: userParams },
      one: { path: `${path}/:connectionId`, params: identityParams },
      shown: identity,
      toResponse: (found: ShownIdentity) => ({ ...found }),
    });
    routes.listAll({
      onRequest: inOrganization(deps, 'user.read'),
      operationId: 'listIdentities',
      summary: 'List the identities by which a person signs in at outside providers',
      answer: pageOf(identity),
      async all(target) {
        const { id: userId, orgId } = await userOfPath(deps, target);
        return identitiesOf(deps, { orgId, userId });
      },
    });
    app.post(
      '/orgs/:orgId/connections/:connectionId/link-waiting',
      {
        onRequest: inOrganization(deps, 'org.write'),
        schema: {
          tags: ['connections'],
          security,
          operationId: 'linkWaitingIdentities',
          summary:
            'Link identities of a connection that an import left waiting under the name of a provider, page by page; `muster connections link-metadata` calls it',
          params: connectionParams,
          body: waitingQuery,
          response: { 200: waitingPage, ...problems(400, 404) },
        },
      },
      async (request) => {
        const { orgId, connectionId } = request.params;
        const { provider, dryRun = false, after } = request.body;
        const editor = editorOf(request);
        return linkWaiting(deps, { orgId, connectionId, provider, dryRun, after, editor });
      },
    );
    routes.remove({
      onRequest: [inOrganization(deps, 'user.write'), overPerson(deps, 'change')],
      operationId: 'removeIdentity',
      summary:
        'Take the identities of a connection from a person; what the person began by it ends. The last way in stays',
      fails: [409],
      async run({ connectionId, editor, ...target }) {
        const { id: userId, orgId } = await userOfPath(deps, target);
        const endSignInsOf = (of: { userId: string; connectionId: string }) => signOutOfIdentity(deps, of);
        await unlinkIdentity({ ...deps, endSignInsOf }, { orgId, userId, connectionId, editor });
      },
    });
  };
}
