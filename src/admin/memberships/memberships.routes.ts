import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type, { type Static } from 'typebox';
import {
  addMembership,
  removeMembership,
  requireMembership,
  rolesOfUser,
} from '#src/access/memberships/index.js';
import { isInstanceRole, type Membership, type Role, roles } from '#src/directory/index.js';
import { callerOf, inOrganization, onInstance } from '../http/caller.js';
import { userNames } from '../http/object-names.js';
import { type RouteScope, resourceRoutes } from '../http/resource-routes.js';
import {
  answerPage,
  countedPageOf,
  includeTotal,
  orgParams,
  pageQuery,
  problems,
  security,
  strictObject,
  timestamp,
  withTotal,
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
  includeTotal,
});

const instanceParams = Type.Object(membershipId);
const params = Type.Object({ ...orgParams.properties, ...membershipId });

const tags = ['memberships'];

/** What these routes use. */
type Deps = Pick<
  AdminNeeds,
  | 'ableOwners'
  | 'caches'
  | 'clock'
  | 'config'
  | 'events'
  | 'identityLinks'
  | 'memberships'
  | 'mongo'
  | 'organizations'
  | 'refreshTokens'
  | 'revocations'
  | 'serviceUsers'
  | 'users'
>;

/** Routes for roles. Owners of the instance give roles in the instance, and owners of an organization give roles in it. */
export function membershipRoutes(deps: Deps): FastifyPluginAsyncTypebox {
  return async (app) => {
    addInstanceRoutes(app, deps);
    addOrganizationRoutes(app, deps);
  };
}

function addInstanceRoutes(app: RouteScope, deps: Deps): void {
  const onRequest = onInstance('instance.manage');
  const routes = resourceRoutes(app, {
    tags,
    all: { path: '/memberships' },
    one: { path: '/memberships/:membershipId', params: instanceParams },
    shown: membership,
    toResponse,
  });
  routes.add({
    onRequest,
    operationId: 'addInstanceMembership',
    summary: 'Give a role in the instance',
    body: instanceBody,
    fails: [400, 404, 409],
    run: ({ editor }, body) => addMembership(deps, { ...body, editor }),
    location: ({ id }) => `${deps.config.baseUrl}/admin/v1/memberships/${id}`,
  });
  app.get(
    '/memberships',
    {
      onRequest,
      schema: {
        tags,
        security,
        operationId: 'listInstanceMemberships',
        summary: 'List who has a role in the instance',
        querystring: listQuery,
        response: { 200: countedPageOf(listedMembership), ...problems(400) },
      },
    },
    async ({ query }) => {
      const page = await answerRoles(deps, { orgId: undefined, query });
      return withNames(deps, page);
    },
  );
  routes.get({
    onRequest,
    operationId: 'getInstanceMembership',
    summary: 'Read a role in the instance',
    find: ({ membershipId: id }) => requireMembership(deps, { id, orgId: undefined }),
  });
  routes.remove({
    onRequest,
    operationId: 'removeInstanceMembership',
    summary: 'Take a role in the instance away; the last owner stays',
    fails: [409],
    run: ({ membershipId: id, editor }) => removeMembership(deps, { id, orgId: undefined, editor }),
  });
}

function addOrganizationRoutes(app: RouteScope, deps: Deps): void {
  const mayRead = inOrganization(deps, 'org.read');
  const mayWrite = inOrganization(deps, 'org.write');
  const routes = resourceRoutes(app, {
    tags,
    all: { path: '/orgs/:orgId/memberships', params: orgParams },
    one: { path: '/orgs/:orgId/memberships/:membershipId', params },
    shown: membership,
    toResponse,
  });
  routes.add({
    onRequest: mayWrite,
    operationId: 'addOrganizationMembership',
    summary: 'Give a role in an organization',
    body: orgBody,
    fails: [400, 404, 409],
    run(target, body, request) {
      const givenBy = callerOf(request).memberships;
      return addMembership(deps, { ...body, ...target, givenBy });
    },
    location: ({ id }, { orgId }) => `${deps.config.baseUrl}/admin/v1/orgs/${orgId}/memberships/${id}`,
  });
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
        response: { 200: countedPageOf(membership), ...problems(400, 404) },
      },
    },
    async ({ query, params: { orgId } }) => answerRoles(deps, { orgId, query }),
  );
  routes.get({
    onRequest: mayRead,
    operationId: 'getOrganizationMembership',
    summary: 'Read a role in an organization',
    find: ({ membershipId: id, orgId }) => requireMembership(deps, { id, orgId }),
  });
  routes.remove({
    onRequest: mayWrite,
    operationId: 'removeOrganizationMembership',
    summary: 'Take a role in an organization away; the last owner who can sign in stays',
    fails: [409],
    run: ({ membershipId: id, ...target }) => removeMembership(deps, { id, ...target }),
  });
}

type RolePage = Awaited<ReturnType<typeof answerRoles>>;

/** Answers a page of the roles in a place, or every role that one user has there. */
async function answerRoles(
  deps: Pick<Deps, 'memberships'>,
  { orgId, query: { userId, ...page } }: { orgId: string | undefined; query: Static<typeof listQuery> },
) {
  if (userId === undefined) {
    const found = answerPage(page, (wanted) => deps.memberships.page(orgId, wanted), toResponse);
    return withTotal(page, found, () => deps.memberships.count(orgId));
  }
  const items = (await rolesOfUser(deps, { userId, orgId })).map(toResponse);
  return withTotal(page, Promise.resolve({ items }), async () => items.length);
}

/** The page, with the names of the users as far as they exist. */
async function withNames(deps: Parameters<typeof userNames>[0], page: RolePage) {
  const found = await userNames(deps, [...new Set(page.items.map(({ userId }) => userId))]);
  const names = new Map(found.map(({ id, name, orgId: userOrgId }) => [id, { name, userOrgId }]));
  return { ...page, items: page.items.map((item) => ({ ...item, ...names.get(item.userId) })) };
}

function toResponse({ id, userId, role, orgId, created }: Membership) {
  return { id, userId, role, ...(orgId !== undefined && { orgId }), created: created.toISOString() };
}
