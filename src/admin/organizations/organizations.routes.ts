import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { Static } from 'typebox';
import { keepsSignIns, requireOverOrganization } from '#src/access/authority/index.js';
import {
  directoryErrors,
  type Organization,
  permissionsIn,
  permittedOnInstance,
  quotaLimits,
  requireVersion,
  shownSwitches,
} from '#src/directory/index.js';
import type { Principal } from '#src/http/auth/authenticate.js';
import {
  addOrganization,
  changeOrganization,
  namePlaceOf,
  requireOrganization,
} from '#src/organizations/index.js';
import { wantUniqueExternalIds } from '#src/people/users/index.js';
import { AppError } from '#src/platform/errors.js';
import { tokenErrors } from '#src/tokens/errors.js';
import { callerOf, inOrganization, onInstance, requireFreshCaller } from '../http/caller.js';
import { nameCursor, readNameCursor } from '../http/name-cursor.js';
import { type RouteScope, resourceRoutes } from '../http/resource-routes.js';
import {
  answerKeyedPage,
  answerPage,
  countedPageOf,
  orgParams,
  problems,
  security,
  withTotal,
} from '../http/schemas.js';
import type { AdminNeeds } from '../needs/needs.js';
import {
  organizationChange,
  organizationsQuery,
  organizationToAdd,
  shownOrganization,
} from './organization-schemas.js';

/** What these routes use. */
type Deps = Pick<
  AdminNeeds,
  | 'applications'
  | 'caches'
  | 'clock'
  | 'config'
  | 'events'
  | 'logos'
  | 'groups'
  | 'identifiers'
  | 'mailLink'
  | 'mongo'
  | 'organizations'
  | 'projects'
  | 'quotas'
  | 'serviceUsers'
  | 'users'
>;

const tags = ['organizations'];

/** Routes for organizations. Owners of the instance add them, and owners of an organization change it. */
export function organizationRoutes(deps: Deps): FastifyPluginAsyncTypebox {
  const { organizations, config } = deps;

  return async (app) => {
    const routes = resourceRoutes(app, {
      tags,
      all: { path: '/orgs' },
      one: { path: '/orgs/:orgId', params: orgParams },
      shown: shownOrganization,
      toResponse: (organization: Organization) => toResponse(config, organization),
    });
    routes.add({
      onRequest: onInstance('org.create'),
      operationId: 'addOrganization',
      summary: 'Add an organization',
      body: organizationToAdd,
      fails: [400, 409],
      run({ editor }, body) {
        requireMailFor(deps, body);
        return addOrganization(deps, { ...body, editor });
      },
      location: ({ id }) => `${config.baseUrl}/admin/v1/orgs/${id}`,
    });
    addListRoute(app, deps);
    routes.get({
      onRequest: inOrganization(deps, 'org.read'),
      operationId: 'getOrganization',
      summary: 'Read an organization',
      find: ({ orgId }) => requireOrganization(organizations.find, orgId),
    });
    routes.change({
      onRequest: inOrganization(deps, 'org.write'),
      operationId: 'changeOrganization',
      summary:
        'Change an organization; absent properties stay. Only an instance owner changes domains and quotas',
      body: organizationChange,
      fails: [400, 404, 409, 412],
      run(target, body, request) {
        if (!keepsSignIns(body)) requireFreshCaller(deps, request);
        requireOverOrganization(callerOf(request).memberships, body);
        const { version, ...wanted } = body;
        const change = (current: Organization) => {
          requireVersion(current, version);
          if (current.login.verifyEmail !== true) requireMailFor(deps, wanted);
          return wanted;
        };
        const changeIt = wanted.uniqueExternalId ? wantUniqueExternalIds : changeOrganization;
        return changeIt(deps, { ...target, change });
      },
    });
  };
}

function addListRoute(app: RouteScope, deps: Deps): void {
  app.get(
    '/orgs',
    {
      schema: {
        tags,
        security,
        operationId: 'listOrganizations',
        summary: 'List the organizations that the caller may read. With `name`, in the order of names',
        description:
          'An owner of the instance reads all. Every other caller reads those that its roles reach',
        querystring: organizationsQuery,
        response: { 200: countedPageOf(shownOrganization), ...problems(400) },
      },
    },
    async (request) => {
      const caller = callerOf(request);
      const { name: prefix, ...page } = request.query;
      if (prefix !== undefined) return answerByName(deps, caller, { prefix, page });
      const seesAll = permittedOnInstance(caller.memberships, 'org.read');
      const find = seesAll ? deps.organizations.page : ownOrganizations(deps, caller);
      const found = answerPage(page, find, (organization) => toResponse(deps.config, organization));
      return withTotal(page, found, () => countByName(deps, caller, ''));
    },
  );
}

/** Answers a page of the organizations whose names begin with a text, in the order of names. */
function answerByName(
  { organizations, config }: Pick<Deps, 'organizations' | 'config'>,
  caller: Principal,
  { prefix, page }: { prefix: string; page: Omit<Static<typeof organizationsQuery>, 'name'> },
) {
  const { after: cursor, limit } = page;
  const after = cursor === undefined ? undefined : readNameCursor(cursor);
  const ids = permittedOnInstance(caller.memberships, 'org.read') ? undefined : ownIds(caller);
  const find = ({ limit: most }: { limit: number }) =>
    organizations.pageByName({ prefix, limit: most, ...(after && { after }), ...(ids && { ids }) });
  const found = answerKeyedPage({ ...(limit !== undefined && { limit }) }, find, {
    toResponse: (organization) => toResponse(config, organization),
    keyOf: (found) => nameCursor(namePlaceOf(found)),
  });
  return withTotal(page, found, () => countByName({ organizations }, caller, prefix));
}

/** The number of organizations that the caller may read and whose names begin with a text. */
function countByName(
  { organizations }: Pick<Deps, 'organizations'>,
  caller: Principal,
  prefix: string,
): Promise<number> {
  const ids = permittedOnInstance(caller.memberships, 'org.read') ? undefined : ownIds(caller);
  return organizations.countByName({ prefix, ...(ids && { ids }) });
}

/** The identifiers of the organizations that the roles of the caller name, in order. */
function ownIds({ memberships }: Principal): string[] {
  const ids = memberships
    .flatMap(({ orgId }) => (orgId === undefined ? [] : [orgId]))
    .filter((orgId) => permissionsIn(memberships, orgId)?.has('org.read'));
  if (ids.length === 0) throw new AppError(tokenErrors.permissionMissing);
  return [...new Set(ids)].sort();
}

/** @throws AppError `directory.mailMissing` if people would have to prove their addresses, but get no mail */
function requireMailFor(
  { mailLink }: Pick<Deps, 'mailLink'>,
  { login }: { readonly login?: { readonly verifyEmail?: boolean } },
): void {
  if (login?.verifyEmail === true && mailLink === undefined) throw new AppError(directoryErrors.mailMissing);
}

/** Returns a page of the organizations that the roles of the caller name. */
function ownOrganizations({ caches }: Pick<Deps, 'caches'>, caller: Principal) {
  const ordered = ownIds(caller);
  return async ({ after = '', limit }: { after?: string; limit: number }): Promise<Organization[]> => {
    const wanted = ordered.filter((orgId) => orgId > after).slice(0, limit);
    const found = await Promise.all(wanted.map((orgId) => caches.organizations.get(orgId)));
    return found.filter((candidate) => candidate !== undefined);
  };
}

function toResponse(config: Deps['config'], { id, created, lastModified, domains, ...rest }: Organization) {
  return {
    id,
    name: rest.name,
    domains: [...domains],
    passwordPolicy: rest.passwordPolicy,
    login: { ...rest.login, ...shownSwitches(rest.login) },
    plainScimErrors: rest.plainScimErrors ?? false,
    uniqueExternalId: rest.uniqueExternalId ?? false,
    quotas: quotaLimits(config, rest.quotas),
    created: created.toISOString(),
    lastModified: lastModified.toISOString(),
    version: rest.version,
  };
}
