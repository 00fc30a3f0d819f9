import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import { identitiesOf, type ShownIdentity, unlinkIdentity } from '#src/connections/identities/index.js';
import { signOutOfIdentity } from '#src/sessions/sign-out.js';
import { inOrganization, overPerson } from '../http/caller.js';
import { resourceRoutes } from '../http/resource-routes.js';
import { pageOf, userParams } from '../http/schemas.js';
import { userOfPath } from '../http/user-of-path.js';
import type { AdminNeeds } from '../needs/needs.js';

/** What these routes use. */
type Deps = Pick<
  AdminNeeds,
  | 'accounts'
  | 'caches'
  | 'clock'
  | 'events'
  | 'identityLinks'
  | 'mongo'
  | 'projectMembers'
  | 'refreshTokens'
  | 'sessions'
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
