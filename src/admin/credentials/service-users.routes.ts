import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import { keepsProofs } from '#src/access/authority/index.js';
import { addServiceUser, changeServiceUser, type ServiceUser } from '#src/clients/service-users/index.js';
import { directoryErrors, loginName, objectName } from '#src/directory/index.js';
import { removeServiceUser } from '#src/removal/index.js';
import { inOrganization, overServiceUser, requireFreshCaller } from '../http/caller.js';
import { orNotFound } from '../http/or-not-found.js';
import { resourceRoutes } from '../http/resource-routes.js';
import {
  expectedVersion,
  orgParams,
  removableText,
  serviceUserParams,
  shapedText,
  strictObject,
  timestamp,
  version,
} from '../http/schemas.js';
import type { AdminNeeds } from '../needs/needs.js';

/** What these routes use. */
type Deps = Pick<
  AdminNeeds,
  | 'caches'
  | 'clock'
  | 'config'
  | 'consents'
  | 'eventReceivers'
  | 'events'
  | 'memberships'
  | 'mongo'
  | 'organizations'
  | 'personalAccessTokens'
  | 'projectMembers'
  | 'quotas'
  | 'refreshTokens'
  | 'revocations'
  | 'serviceUsers'
  | 'userGrants'
  | 'userMetadata'
  | 'identityLinks'
  | 'webauthnCredentials'
>;

const accessTokenType = Type.Enum(['opaque', 'jwt'], { description: 'Form of the access tokens it gets' });
const ignorePasswordOnCreate = Type.Boolean({
  description: 'Drop the password of users it creates over SCIM, for clients that always send a random one',
});
const ignorePasswords = Type.Boolean({
  description: 'Drop every password that it sends over SCIM, also those of changes',
});
const plainScimErrors = Type.Boolean({
  description:
    'Whether its SCIM errors have only schemas, status, scimType and detail (RFC 7644 section 3.12)',
});

const serviceUser = Type.Object(
  {
    id: Type.String(),
    orgId: Type.String(),
    userName: Type.String({ description: 'With a secret also a client_id' }),
    name: Type.String(),
    description: Type.Optional(Type.String()),
    active: Type.Boolean(),
    accessTokenType,
    ignorePasswordOnCreate,
    ignorePasswords,
    plainScimErrors,
    created: timestamp,
    lastModified: timestamp,
    version,
  },
  { title: 'ServiceUser' },
);

const userName = shapedText(1000, loginName);
const freeText = { maxLength: 500 };
const settings = {
  name: Type.Optional(shapedText(1000, objectName)),
  active: Type.Optional(Type.Boolean()),
  accessTokenType: Type.Optional(accessTokenType),
  ignorePasswordOnCreate: Type.Optional(ignorePasswordOnCreate),
  ignorePasswords: Type.Optional(ignorePasswords),
  plainScimErrors: Type.Optional(plainScimErrors),
};

const toAdd = strictObject(
  { ...settings, userName, description: Type.Optional(shapedText(1000, freeText)) },
  { examples: [{ userName: 'provisioner', description: 'Provisions the users of Northwind' }] },
);

const change = strictObject(
  {
    ...settings,
    userName: Type.Optional(userName),
    description: Type.Optional(removableText(1000, freeText)),
    version: expectedVersion,
  },
  { examples: [{ name: 'Provisioner', accessTokenType: 'jwt', description: null }] },
);

/** Routes for service users, the programs that call SCIM and this API. */
export function serviceUserRoutes(deps: Deps): FastifyPluginAsyncTypebox {
  const { serviceUsers, config } = deps;
  const mayRead = inOrganization(deps, 'org.read');
  const mayWrite = inOrganization(deps, 'org.write');
  const mayChange = [mayWrite, overServiceUser(deps)];

  return async (app) => {
    const routes = resourceRoutes(app, {
      tags: ['service users'],
      all: { path: '/orgs/:orgId/service-users', params: orgParams },
      one: { path: '/orgs/:orgId/service-users/:id', params: serviceUserParams },
      shown: serviceUser,
      toResponse,
    });
    routes.add({
      onRequest: mayWrite,
      operationId: 'addServiceUser',
      summary: 'Add a service user',
      body: toAdd,
      fails: [400, 404, 409],
      run: (target, body) => addServiceUser(deps, { ...body, ...target }),
      location: ({ id }, { orgId }) => `${config.baseUrl}/admin/v1/orgs/${orgId}/service-users/${id}`,
    });
    routes.list({
      onRequest: mayRead,
      operationId: 'listServiceUsers',
      summary: 'List the service users of an organization',
      page: ({ orgId }, page) => serviceUsers.page(orgId, page),
      keyOf: ({ id }) => id,
      count: ({ orgId }) => serviceUsers.count(orgId),
    });
    routes.get({
      onRequest: mayRead,
      operationId: 'getServiceUser',
      summary: 'Read a service user',
      find: ({ orgId, id }) => orNotFound(serviceUsers.find(orgId, id), directoryErrors.serviceUserNotFound),
    });
    routes.change({
      onRequest: mayChange,
      operationId: 'changeServiceUser',
      summary: 'Change a service user; deactivating it also revokes its access tokens',
      body: change,
      fails: [400, 404, 409, 412],
      run(target, body, request) {
        if (!keepsProofs(body)) requireFreshCaller(deps, request);
        return changeServiceUser(deps, { ...target, change: body });
      },
    });
    routes.remove({
      onRequest: mayChange,
      operationId: 'removeServiceUser',
      summary: 'Remove a service user with its secrets, tokens and roles; revokes its access tokens',
      fails: [409],
      run: (target) => removeServiceUser(deps, target),
    });
  };
}

/** Returns the service user without its secrets. */
function toResponse(user: ServiceUser) {
  const { id, orgId, userName, name, description, active, accessTokenType, ignorePasswordOnCreate } = user;
  return {
    id,
    orgId,
    userName,
    name,
    ...(description !== undefined && { description }),
    active,
    accessTokenType,
    ignorePasswordOnCreate,
    ignorePasswords: user.ignorePasswords ?? false,
    plainScimErrors: user.plainScimErrors ?? false,
    created: user.created.toISOString(),
    lastModified: user.lastModified.toISOString(),
    version: user.version,
  };
}
