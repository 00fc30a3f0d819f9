import type { Group } from '#src/directory/groups/group.js';
import { AppError } from '#src/platform/errors.js';
import { resolveRelation } from '../filter/resolve-relation.js';
import type { ListQuery } from '../list/list-query.js';
import { listResponse } from '../list/list-response.js';
import { scimErrors } from '../protocol/errors.js';
import {
  countFitting,
  groupsJson,
  type JsonBody,
  joined,
  membersOfGroups,
  type ReadMembers,
  wantsMembers,
} from '../resources/group-json.js';
import type { ScimContext, ScimDeps } from './context.js';
import {
  type FoundPage,
  type ListDeps,
  type ListSource,
  listResources,
  type SourcePage,
  type SourceQuery,
} from './list-resources.js';

export type ListGroupsDeps = ListDeps & Pick<ScimDeps, 'users' | 'groups' | 'groupMembers'>;

/** The most groups of a user that a filter can use. */
const mostGroups = 10_000;

/** Finds groups: see {@link pageOfGroups}. */
export async function listGroups(
  deps: ListGroupsDeps,
  context: ScimContext,
  query: ListQuery,
): Promise<JsonBody> {
  const { bodies, ...page } = await pageOfGroups(deps, context, query);
  return listJson(bodies, page);
}

/**
 * Finds groups: see {@link listResources}. Members are read only if the client wants them. The page has fewer groups than the client
 * wants if they have too many members together. Clients go on behind the last one (RFC 7644 section 3.4.2.4).
 */
export async function pageOfGroups(
  deps: ListGroupsDeps,
  context: ScimContext,
  query: ListQuery,
): Promise<Omit<FoundPage<Group>, 'found'> & { readonly bodies: JsonBody[] }> {
  const { projection } = query;
  const orgId = context.organization.id;
  const source = groupSource(deps, orgId);
  let members: ReadMembers | undefined;
  async function page(part: SourceQuery): Promise<SourcePage<Group>> {
    const whole = await source.page(part);
    if (!wantsMembers(projection) || whole.found.length === 0) return whole;
    members = await membersOfGroups(deps, orgId, whole.found);
    if (members !== 'many' || whole.found.length === 1) return whole;
    const limit = await countFitting(deps, { orgId, groups: whole.found });
    return limit === whole.found.length ? whole : source.page({ ...part, limit });
  }
  const { found, ...rest } = await listResources(deps, { ...source, page }, { orgId, query });
  return { ...rest, bodies: await groupsJson(deps, context, { groups: found, projection, members }) };
}

/** The response for a page whose resources are JSON already. */
export function listJson(
  bodies: readonly JsonBody[],
  page: { totalResults: number; startIndex?: number | undefined; nextCursor?: string | undefined },
): JsonBody {
  const { Resources: _none, ...head } = listResponse({ resources: [], ...page });
  const opening = `${JSON.stringify({ ...head, itemsPerPage: bodies.length }).slice(0, -1)},"Resources":[`;
  return bodies.every((body) => typeof body === 'string')
    ? `${opening}${bodies.join(',')}]}`
    : joined(opening, bodies, ']}');
}

/** The groups of an organization. */
function groupSource(
  { users, groups, groupMembers }: Pick<ListGroupsDeps, 'users' | 'groups' | 'groupMembers'>,
  orgId: string,
): ListSource<Group> {
  const find = async (userId: string, among: readonly string[] | undefined) => {
    // A process may have ended before it removed a membership of a user who is gone.
    if ((await users.existing(orgId, [userId])).size === 0) return [];
    if (among !== undefined) {
      const isMember = await Promise.all(
        among.map(async (groupId) => (await groupMembers.among(orgId, groupId, [userId])).has(userId)),
      );
      return among.filter((_, index) => isMember[index]);
    }
    const found = await groupMembers.groupsOf(orgId, userId, mostGroups + 1);
    if (found.length <= mostGroups) return found;
    const detail = `The user is in more than ${mostGroups} groups. Name one by id`;
    throw new AppError(scimErrors.filterTooCostly, { detail });
  };
  return {
    noun: 'group',
    count: async (filter) => groups.count(orgId, await resolveRelation(filter, 'members', find)),
    async page(query) {
      const filter = await resolveRelation(query.filter, 'members', find);
      const { groups: found, ...page } = await groups.page(orgId, { ...query, ...(filter && { filter }) });
      return { found, ...page };
    },
  };
}
