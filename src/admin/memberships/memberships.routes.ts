import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import { addMembership, removeMembership } from '#src/access/memberships/index.js';
import {
  directoryErrors,
  isInstanceRole,
  type Membership,
  permittedOnInstance,
  type Role,
  roles,
} from '#src/directory/index.js';
import { AppError } from '#src/platform/errors.js';
import { callerOf, editorOf, inOrganization, onInstance } from '../http/caller.js';
import { userNames } from '../http/object-names.js';
import {
  answerPage,
  located,
  noContent,
  orgParams,
  pageOf,
  pageQuery,
  problems,
  security,
  strictObject,
  timestamp,
} from '../http/schemas.js';
import type { AdminNeeds } from '../needs/needs.js';

const membership = Type.Object(
  {
    id: Type.String(),
    userId: Type.String(),
    role: Type.Unsafe<Role>(Type.String()),
    orgId: Type.Optional(Type.String({ description: 'Absent for a role in the instance' })),
    created: timestamp,
  },
  { title: 'Membership' },
);

const listedMembership = Type.Object({
  ...membership.properties,
  name: Type.Optional(Type.String({ description: 'Display name of the user; absent if the user is gone' })),
  userOrgId: Type.Optional(Type.String({ description: 'Organization of the user' })),
});

const membershipId = { membershipId: Type.String({ maxLength: 200 }) };
const userId = Type.String({ minLength: 1, maxLength: 200, description: 'A user or a service user' });

const bodyFor = (given: Role[], example: Role) =>
  strictObject(
    { userId, role: Type.Unsafe<Role>(Type.Enum(given)) },
    { examples: [{ userId: 'the-user', role: example }] },
  );
const instanceBody = bodyFor(
  roles.filter((role) => isInstanceRole(role)),
  'IAM_OWNER',
);
const orgBody = bodyFor(
  roles.filter((role) => !isInstanceRole(role)),
  'ORG_USER_MANAGER',
);

const listQuery = Type.Object({
  ...pageQuery.properties,
  userId: Type.Optional(
    Type.String({ minLength: 1, maxLength: 200, description: 'Only the roles of this user, on one page' }),
  ),
});

const tags = ['memberships'];

/**
 * Routes for roles. Owners of the instance give roles in the instance, and owners of an organization give roles in it.
 * Only an owner of the instance can make a user of another organization a member.
 */
export function membershipRoutes(
  deps: Pick<
    AdminNeeds,
    | 'caches'
    | 'clock'
    | 'config'
    | 'events'
    | 'memberships'
    | 'mongo'
    | 'organizations'
    | 'serviceUsers'
    | 'users'
  >,
): FastifyPluginAsyncTypebox {
  const { memberships, config } = deps;
  const ownsInstance = onInstance('instance.manage');
  const mayRead = inOrganization(deps, 'org.read');
  const mayWrite = inOrganization(deps, 'org.write');

  return async (app) => {
    app.post(
      '/memberships',
      {
        onRequest: ownsInstance,
        schema: {
          tags,
          security,
          operationId: 'addInstanceMembership',
          summary: 'Give a role in the instance',
          body: instanceBody,
          response: { 201: membership, ...problems(400, 404, 409) },
          described: () => located,
        },
      },
      async (request, reply) => {
        const added = await addMembership(deps, { ...request.body, editor: editorOf(request) });
        reply.header('location', `${config.baseUrl}/admin/v1/memberships/${added.id}`);
        return reply.code(201).send(present(added));
      },
    );

    app.get(
      '/memberships',
      {
        onRequest: ownsInstance,
        schema: {
          tags,
          security,
          operationId: 'listInstanceMemberships',
          summary: 'List who has a role in the instance',
          querystring: listQuery,
          response: { 200: pageOf(listedMembership), ...problems(400) },
        },
      },
      async ({ query }) => {
        if (query.userId !== undefined) return rolesOf(query.userId, undefined);
        const page = await answerPage(query, (wanted) => memberships.page(undefined, wanted), present);
        const found = await userNames(deps, [...new Set(page.items.map(({ userId }) => userId))]);
        const names = new Map(found.map(({ id, name, orgId: userOrgId }) => [id, { name, userOrgId }]));
        return { ...page, items: page.items.map((item) => ({ ...item, ...names.get(item.userId) })) };
      },
    );

    app.get(
      '/memberships/:membershipId',
      {
        onRequest: ownsInstance,
        schema: {
          tags,
          security,
          operationId: 'getInstanceMembership',
          summary: 'Read a role in the instance',
          params: Type.Object(membershipId),
          response: { 200: membership, ...problems(404) },
        },
      },
      async (request) => present(await requireMembership(request.params.membershipId, undefined)),
    );

    app.delete(
      '/memberships/:membershipId',
      {
        onRequest: ownsInstance,
        schema: {
          tags,
          security,
          operationId: 'removeInstanceMembership',
          summary: 'Take a role in the instance away; the last owner stays',
          params: Type.Object(membershipId),
          response: { 204: noContent, ...problems(404, 409) },
        },
      },
      async (request, reply) => {
        const { membershipId: id } = request.params;
        await removeMembership(deps, { id, orgId: undefined, editor: editorOf(request) });
        return reply.code(204).send(null);
      },
    );

    app.post(
      '/orgs/:orgId/memberships',
      {
        onRequest: mayWrite,
        schema: {
          tags,
          security,
          operationId: 'addOrganizationMembership',
          summary: 'Give a role in an organization',
          params: orgParams,
          body: orgBody,
          response: { 201: membership, ...problems(400, 404, 409) },
          described: () => located,
        },
      },
      async (request, reply) => {
        const { orgId } = request.params;
        const anyUser = permittedOnInstance(callerOf(request).memberships, 'instance.manage');
        const added = await addMembership(deps, {
          ...request.body,
          orgId,
          ...(!anyUser && { userOf: orgId }),
          editor: editorOf(request),
        });
        reply.header('location', `${config.baseUrl}/admin/v1/orgs/${orgId}/memberships/${added.id}`);
        return reply.code(201).send(present(added));
      },
    );

    app.get(
      '/orgs/:orgId/memberships',
      {
        onRequest: mayRead,
        schema: {
          tags,
          security,
          operationId: 'listOrganizationMemberships',
          summary: 'List who has a role in an organization',
          params: orgParams,
          querystring: listQuery,
          response: { 200: pageOf(membership), ...problems(400, 404) },
        },
      },
      async ({ query, params: { orgId } }) => {
        const { userId } = query;
        if (userId !== undefined) return rolesOf(userId, orgId);
        return answerPage(query, (page) => memberships.page(orgId, page), present);
      },
    );

    app.get(
      '/orgs/:orgId/memberships/:membershipId',
      {
        onRequest: mayRead,
        schema: {
          tags,
          security,
          operationId: 'getOrganizationMembership',
          summary: 'Read a role in an organization',
          params: Type.Object({ ...orgParams.properties, ...membershipId }),
          response: { 200: membership, ...problems(404) },
        },
      },
      async (request) => present(await requireMembership(request.params.membershipId, request.params.orgId)),
    );

    app.delete(
      '/orgs/:orgId/memberships/:membershipId',
      {
        onRequest: mayWrite,
        schema: {
          tags,
          security,
          operationId: 'removeOrganizationMembership',
          summary: 'Take a role in an organization away',
          params: Type.Object({ ...orgParams.properties, ...membershipId }),
          response: { 204: noContent, ...problems(404) },
        },
      },
      async (request, reply) => {
        const { orgId, membershipId: id } = request.params;
        await removeMembership(deps, { id, orgId, editor: editorOf(request) });
        return reply.code(204).send(null);
      },
    );
  };

  /** The roles of one user in one place. There are only a few roles. */
  async function rolesOf(userId: string, orgId: string | undefined) {
    const held =
      orgId === undefined
        ? (await memberships.ofUser(userId)).filter((one) => one.orgId === undefined)
        : await memberships.ofMembers(orgId, [userId]);
    return { items: held.map(present) };
  }

  async function requireMembership(id: string, orgId: string | undefined): Promise<Membership> {
    const found = await memberships.find(id);
    if (found === undefined || found.orgId !== orgId) throw new AppError(directoryErrors.membershipNotFound);
    return found;
  }
}

function present({ id, userId, role, orgId, created }: Membership) {
  return { id, userId, role, ...(orgId !== undefined && { orgId }), created: created.toISOString() };
}
