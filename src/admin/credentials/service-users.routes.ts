import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import { addServiceUser, changeServiceUser, type ServiceUser } from '#src/clients/service-users/index.js';
import { directoryErrors, loginName, objectName } from '#src/directory/index.js';
import { AppError } from '#src/platform/errors.js';
import { removeServiceUser } from '#src/removal/index.js';
import { editorOf, inOrganization, overServiceUser, requireFreshCaller } from '../http/caller.js';
import { namesOnly } from '../http/names-only.js';
import {
  answerPage,
  expectedVersion,
  located,
  noContent,
  orgParams,
  pageOf,
  pageQuery,
  problems,
  removableText,
  security,
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

/** What changes nothing about how a service user proves itself. `active` is harmless if it is false. */
const harmless = [
  'name',
  'description',
  'active',
  'ignorePasswordOnCreate',
  'ignorePasswords',
  'plainScimErrors',
  'version',
];

const tags = ['service users'];

/** Routes for service users, the programs that call SCIM and this API. */
export function serviceUserRoutes(deps: Deps): FastifyPluginAsyncTypebox {
  const { serviceUsers, config } = deps;
  const mayRead = inOrganization(deps, 'org.read');
  const mayWrite = inOrganization(deps, 'org.write');
  const mayChange = [mayWrite, overServiceUser(deps)];

  return async (app) => {
    app.post(
      '/orgs/:orgId/service-users',
      {
        onRequest: mayWrite,
        schema: {
          tags,
          security,
          operationId: 'addServiceUser',
          summary: 'Add a service user',
          params: orgParams,
          body: strictObject(
            { ...settings, userName, description: Type.Optional(shapedText(1000, freeText)) },
            { examples: [{ userName: 'provisioner', description: 'Provisions the users of Northwind' }] },
          ),
          response: { 201: serviceUser, ...problems(400, 404, 409) },
          described: () => located,
        },
      },
      async (request, reply) => {
        const { orgId } = request.params;
        const added = await addServiceUser(deps, { ...request.body, orgId, editor: editorOf(request) });
        reply.header('location', `${config.baseUrl}/admin/v1/orgs/${orgId}/service-users/${added.id}`);
        return reply.code(201).send(present(added));
      },
    );

    app.get(
      '/orgs/:orgId/service-users',
      {
        onRequest: mayRead,
        schema: {
          tags,
          security,
          operationId: 'listServiceUsers',
          summary: 'List the service users of an organization',
          params: orgParams,
          querystring: pageQuery,
          response: { 200: pageOf(serviceUser), ...problems(400, 404) },
        },
      },
      async (request) =>
        answerPage(request.query, (page) => serviceUsers.page(request.params.orgId, page), present),
    );

    app.get(
      '/orgs/:orgId/service-users/:id',
      {
        onRequest: mayRead,
        schema: {
          tags,
          security,
          operationId: 'getServiceUser',
          summary: 'Read a service user',
          params: serviceUserParams,
          response: { 200: serviceUser, ...problems(404) },
        },
      },
      async (request) => {
        const found = await serviceUsers.find(request.params.orgId, request.params.id);
        if (found === undefined) throw new AppError(directoryErrors.serviceUserNotFound);
        return present(found);
      },
    );

    app.patch(
      '/orgs/:orgId/service-users/:id',
      {
        onRequest: mayChange,
        schema: {
          tags,
          security,
          operationId: 'changeServiceUser',
          summary: 'Change a service user; deactivating it also revokes its access tokens',
          params: serviceUserParams,
          body: strictObject(
            {
              ...settings,
              userName: Type.Optional(userName),
              description: Type.Optional(removableText(1000, freeText)),
              version: expectedVersion,
            },
            { examples: [{ name: 'Provisioner', accessTokenType: 'jwt', description: null }] },
          ),
          response: { 200: serviceUser, ...problems(400, 404, 409, 412) },
        },
      },
      async (request) => {
        const { active } = request.body;
        if (active === true || !namesOnly(request.body, harmless)) requireFreshCaller(deps, request);
        const change = { ...request.params, change: request.body, editor: editorOf(request) };
        return present(await changeServiceUser(deps, change));
      },
    );

    app.delete(
      '/orgs/:orgId/service-users/:id',
      {
        onRequest: mayChange,
        schema: {
          tags,
          security,
          operationId: 'removeServiceUser',
          summary: 'Remove a service user with its secrets, tokens and roles; revokes its access tokens',
          params: serviceUserParams,
          response: { 204: noContent, ...problems(404, 409) },
        },
      },
      async (request, reply) => {
        await removeServiceUser(deps, { ...request.params, editor: editorOf(request) });
        return reply.code(204).send(null);
      },
    );
  };
}

/** Returns the service user without its secrets. */
function present(user: ServiceUser) {
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
