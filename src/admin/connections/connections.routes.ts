import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { Static } from 'typebox';
import { connectionErrors } from '#src/connections/index.js';
import {
  addConnection,
  type ConnectionSettings,
  changeConnection,
  mostConnections,
  removeConnection,
} from '#src/connections/registry/index.js';
import { describedProvider } from '#src/connections/saml/index.js';
import { requireUsable } from '#src/connections/sign-in/index.js';
import { pathSegment } from '#src/platform/path-segment.js';
import { signOutOfConnection } from '#src/sessions/sign-out.js';
import { inOrganization } from '../http/caller.js';
import { orNotFound } from '../http/or-not-found.js';
import { resourceRoutes } from '../http/resource-routes.js';
import { orgParams, pageOf } from '../http/schemas.js';
import type { AdminNeeds } from '../needs/needs.js';
import { changeOf, connectionResponse, newConnectionSettings } from './connection-bodies.js';
import {
  connectionChange,
  connectionParams,
  connectionToAdd,
  shownConnection,
} from './connection-schemas.js';

/** What these routes use. */
type Deps = Pick<
  AdminNeeds,
  | 'ableOwners'
  | 'caches'
  | 'clock'
  | 'config'
  | 'connections'
  | 'connectionSealer'
  | 'events'
  | 'metadataFetch'
  | 'mongo'
  | 'organizations'
  | 'providerFetch'
  | 'providerKeys'
  | 'providers'
  | 'quotas'
  | 'refreshTokens'
  | 'samlThreads'
  | 'serviceUsers'
  | 'sessions'
  | 'threads'
>;

const path = '/orgs/:orgId/connections';
const onePath = `${path}/:connectionId`;
const tags = ['connections'];

/** Routes for the outside providers by which people of an organization sign in. */
export function connectionRoutes(deps: Deps): FastifyPluginAsyncTypebox {
  const { connections, config } = deps;
  const mayRead = inOrganization(deps, 'org.read');
  const mayWrite = inOrganization(deps, 'org.write');
  const find = (orgId: string, id: string) =>
    orNotFound(connections.find(orgId, id), connectionErrors.connectionNotFound);

  return async (app) => {
    const routes = resourceRoutes(app, {
      tags,
      all: { path, params: orgParams },
      one: { path: onePath, params: connectionParams },
      shown: shownConnection,
      toResponse: (connection: Awaited<ReturnType<typeof find>>) => connectionResponse(config, connection),
    });
    routes.add({
      onRequest: mayWrite,
      operationId: 'addConnection',
      summary: `Let people sign in by an outside provider; at most ${mostConnections} at once. What the provider says of itself is read at once`,
      body: connectionToAdd,
      fails: [400, 404, 409],
      async run({ orgId, editor }, body) {
        const settings = newConnectionSettings(body, await fromMetadata(deps, orgId, body));
        const clientSecret = 'clientSecret' in body ? body.clientSecret : undefined;
        const ends = 'clientSecretEnds' in body ? body.clientSecretEnds : undefined;
        const secretEnds = ends === undefined ? undefined : new Date(ends);
        return addConnection(writing(deps), {
          ...{ orgId, editor, id: body.id, settings, clientSecret, secretEnds },
        });
      },
      location: ({ id }, { orgId }) =>
        `${config.baseUrl}/admin/v1/orgs/${orgId}/connections/${pathSegment(id)}`,
    });
    routes.listAll({
      onRequest: mayRead,
      operationId: 'listConnections',
      summary: 'List the connections of an organization, without their secrets',
      answer: pageOf(shownConnection),
      all: ({ orgId }) => connections.ofOrganization(orgId),
    });
    routes.get({
      onRequest: mayRead,
      operationId: 'getConnection',
      summary: 'Read a connection, without its secret',
      find: ({ orgId, connectionId }) => find(orgId, connectionId),
    });
    routes.change({
      onRequest: mayWrite,
      operationId: 'changeConnection',
      summary: 'Change a connection; absent properties stay',
      body: connectionChange,
      fails: [400, 404, 409],
      async run({ orgId, connectionId: id, editor }, body) {
        const change = changeOf(body, await find(orgId, id), await fromMetadata(deps, orgId, body));
        return changeConnection(writing(deps), { orgId, id, editor }, change);
      },
    });
    routes.remove({
      onRequest: mayWrite,
      operationId: 'removeConnection',
      summary:
        'Remove a connection; its sessions and tokens end at once. People stay, and the last owner who can sign in keeps it',
      fails: [409],
      run: ({ orgId, connectionId: id, editor }) => removeConnection(writing(deps), { orgId, id, editor }),
    });
  };
}

/** What the metadata says that a body names. */
function fromMetadata(
  deps: Deps,
  orgId: string,
  body: Static<typeof connectionToAdd> | Static<typeof connectionChange>,
) {
  if (body.protocol !== 'saml') return undefined;
  const { metadata, metadataUrl } = body.provider ?? {};
  return describedProvider(deps, orgId, { metadata, metadataUrl: metadataUrl ?? undefined });
}

/** What the use cases need of rooms that they do not import. */
function writing(deps: Deps) {
  return {
    ...deps,
    endSignIns: (of: { orgId: string; connectionId: string }) => signOutOfConnection(deps, of),
    requireUsable: (orgId: string, settings: ConnectionSettings) => requireUsable(deps, orgId, settings),
  };
}
