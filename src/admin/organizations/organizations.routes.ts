import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { Static } from 'typebox';
import {
  type Organization,
  permissionsIn,
  permittedOnInstance,
  quotaLimits,
  requireVersion,
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
import { callerOf, editorOf, inOrganization, onInstance, requireFreshCaller } from '../http/caller.js';
import { nameCursor, readNameCursor } from '../http/name-cursor.js';
import { namesOnly } from '../http/names-only.js';
import {
  answerKeyedPage,
  answerPage,
  located,
  orgParams,
  pageOf,
  type pageQuery,
  problems,
  security,
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
  | 'groups'
  | 'identifiers'
  | 'mongo'
  | 'organizations'
  | 'projects'
  | 'quotas'
  | 'serviceUsers'
  | 'users'
>;

const tags = ['organizations'];

/** The settings that change neither who may sign in nor what a sign-in takes. */
const harmless = ['name', 'login', 'plainScimErrors', 'uniqueExternalId', 'quotas', 'version'];
const harmlessOfLogin = ['logoUrl', 'faviconUrl', 'brandColor'];

/** Routes for organizations. Owners of the instance add them, and owners of an organization change it. */
export function organizationRoutes(deps: Deps): FastifyPluginAsyncTypebox {
  const { organizations, caches, config } = deps;

  return async (app) => {
    app.post(
      '/orgs',
      {
        onRequest: onInstance('org.create'),
        schema: {
          tags,
          security,
          operationId: 'addOrganization',
          summary: 'Add an organization',
          body: organizationToAdd,
          response: { 201: shownOrganization, ...problems(400, 409) },
          described: () => located,
        },
      },
      async (request, reply) => {
        const added = await addOrganization(deps, { ...request.body, editor: editorOf(request) });
        reply.header('location', `${config.baseUrl}/admin/v1/orgs/${added.id}`);
        return reply.code(201).send(present(added));
      },
    );

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
          response: { 200: pageOf(shownOrganization), ...problems(400) },
        },
      },
      async (request) => {
        const caller = callerOf(request);
        const { name: prefix, ...page } = request.query;
        if (prefix !== undefined) return answerByName(caller, prefix, page);
        const find = permittedOnInstance(caller.memberships, 'org.read')
          ? organizations.page
          : ownOrganizations(caller);
        return answerPage(page, find, present);
      },
    );

    app.get(
      '/orgs/:orgId',
      {
        onRequest: inOrganization(deps, 'org.read'),
        schema: {
          tags,
          security,
          operationId: 'getOrganization',
          summary: 'Read an organization',
          params: orgParams,
          response: { 200: shownOrganization, ...problems(404) },
        },
      },
      async (request) => {
        return present(await requireOrganization(organizations.find, request.params.orgId));
      },
    );

    app.patch(
      '/orgs/:orgId',
      {
        onRequest: inOrganization(deps, 'org.write'),
        schema: {
          tags,
          security,
          operationId: 'changeOrganization',
          summary:
            'Change an organization; absent properties stay. Only an instance owner changes domains and quotas',
          params: orgParams,
          body: organizationChange,
          response: { 200: shownOrganization, ...problems(400, 404, 409, 412) },
        },
      },
      async (request) => {
        const { orgId } = request.params;
        const isHarmless =
          namesOnly(request.body, harmless) && namesOnly(request.body.login ?? {}, harmlessOfLogin);
        if (!isHarmless) requireFreshCaller(deps, request);
        const isOwner = permittedOnInstance(callerOf(request).memberships, 'instance.manage');
        const isForOwners = request.body.domains !== undefined || request.body.quotas !== undefined;
        if (isForOwners && !isOwner) throw new AppError(tokenErrors.permissionMissing);
        const { version, ...wanted } = request.body;
        const change = (current: Organization) => {
          requireVersion(current, version);
          return wanted;
        };
        const changeIt = wanted.uniqueExternalId ? wantUniqueExternalIds : changeOrganization;
        return present(await changeIt(deps, { orgId, change, editor: editorOf(request) }));
      },
    );
  };

  /** Answers a page of the organizations whose names begin with a text, in the order of names. */
  function answerByName(caller: Principal, prefix: string, page: Static<typeof pageQuery>) {
    const { after: cursor, limit } = page;
    const after = cursor === undefined ? undefined : readNameCursor(cursor);
    const ids = permittedOnInstance(caller.memberships, 'org.read') ? undefined : ownIds(caller);
    const find = ({ limit: most }: { limit: number }) =>
      organizations.pageByName({ prefix, limit: most, ...(after && { after }), ...(ids && { ids }) });
    return answerKeyedPage({ ...(limit !== undefined && { limit }) }, find, {
      present,
      keyOf: (found) => nameCursor(namePlaceOf(found)),
    });
  }

  /** The identifiers of the organizations that the roles of the caller name, in order. */
  function ownIds({ memberships }: Principal): string[] {
    const ids = memberships
      .flatMap(({ orgId }) => (orgId === undefined ? [] : [orgId]))
      .filter((orgId) => permissionsIn(memberships, orgId)?.has('org.read'));
    if (ids.length === 0) throw new AppError(tokenErrors.permissionMissing);
    return [...new Set(ids)].sort();
  }

  /** Returns a page of the organizations that the roles of the caller name. */
  function ownOrganizations(caller: Principal) {
    const ordered = ownIds(caller);
    return async ({ after = '', limit }: { after?: string; limit: number }): Promise<Organization[]> => {
      const wanted = ordered.filter((orgId) => orgId > after).slice(0, limit);
      const found = await Promise.all(wanted.map((orgId) => caches.organizations.get(orgId)));
      return found.filter((candidate) => candidate !== undefined);
    };
  }

  function present({ id, created, lastModified, domains, ...rest }: Organization) {
    return {
      id,
      name: rest.name,
      domains: [...domains],
      passwordPolicy: rest.passwordPolicy,
      login: rest.login,
      plainScimErrors: rest.plainScimErrors ?? false,
      uniqueExternalId: rest.uniqueExternalId ?? false,
      quotas: quotaLimits(config, rest.quotas),
      created: created.toISOString(),
      lastModified: lastModified.toISOString(),
      version: rest.version,
    };
  }
}
