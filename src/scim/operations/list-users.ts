import type { User } from '#src/directory/users/user.js';
import { AppError } from '#src/platform/errors.js';
import { resolveRelation } from '../filter/resolve-relation.js';
import type { FilterQuery } from '../filter/text-query.js';
import type { ListQuery } from '../list/list-query.js';
import { type ListResponse, listResponse } from '../list/list-response.js';
import { scimErrors } from '../protocol/errors.js';
import type { Projection } from '../resources/project-attributes.js';
import { renderUser } from '../resources/render-user.js';
import type { ScimResource } from '../resources/scim-resource.js';
import type { ScimContext, ScimDeps } from './context.js';
import { type GroupsOfUsersDeps, groupsOfUsers } from './groups-of-users.js';
import {
  type ListDeps,
  type ListSource,
  listResources,
  type SourcePage,
  type SourceQuery,
} from './list-resources.js';
import { managerNames } from './manager-names.js';

export type ListUsersDeps = ListDeps &
  Pick<ScimDeps, 'users' | 'userCounter' | 'groups' | 'groupMembers' | 'caches'>;

/** A condition on the members of a group can be combined with others up to this size of the group. */
const mostMembers = 10_000;

/** Finds users: see {@link listResources}. Their groups are read only if the client names them in `attributes`. */
export async function listUsers(
  deps: ListUsersDeps,
  context: ScimContext,
  query: ListQuery,
): Promise<ListResponse> {
  const orgId = context.organization.id;
  const { found, ...page } = await listResources(deps, userSource(deps, orgId), { orgId, query });
  const resources = await renderUsers(deps, context, { users: found, projection: query.projection });
  return listResponse({ resources, ...page });
}

/** Renders users of a list. */
export async function renderUsers(
  deps: GroupsOfUsersDeps & Pick<ScimDeps, 'users'>,
  context: ScimContext,
  { users, projection }: { users: readonly User[]; projection: Projection },
): Promise<ScimResource[]> {
  const groups = projection.asked.has('groups')
    ? await groupsOfUsers(deps, context, { userIds: users.map(({ id }) => id) })
    : undefined;
  const managers = await managerNames(deps, context, { users, projection });
  return users.map((user) => {
    const managerName = user.manager === undefined ? undefined : managers.get(user.manager);
    return projection.project(renderUser(user, context, { groups: groups?.get(user.id), managerName }));
  });
}

/** The users of an organization. */
export function userSource(deps: Omit<ListUsersDeps, 'scans' | 'config'>, orgId: string): ListSource<User> {
  const resolve = (filter: FilterQuery | undefined) =>
    resolveRelation(filter, 'groups', (groupId) => membersOf(deps, orgId, groupId));
  return {
    noun: 'user',
    async count(filter) {
      const groupId = onlyGroup(filter);
      if (groupId !== undefined) return deps.groupMembers.count(orgId, groupId);
      return deps.userCounter.count(orgId, await resolve(filter));
    },
    async page(query) {
      const groupId = onlyGroup(query.filter);
      const isById = query.sort.field === '_id' && query.sort.direction === 1;
      if (groupId !== undefined && isById) return memberPage(deps, { orgId, groupId }, query);
      const filter = await resolve(query.filter);
      const { users: found, ...page } = await deps.users.page(orgId, { ...query, ...(filter && { filter }) });
      return { found, ...page };
    },
  };
}

/** The group if the filter asks for its members alone. */
function onlyGroup(filter: FilterQuery = {}): string | undefined {
  const { 'groups.value': groupId, ...others } = filter;
  return typeof groupId === 'string' && Object.keys(others).length === 0 ? groupId : undefined;
}

/** A page of the members of a group of any size, in the order of their identifiers. */
async function memberPage(
  { users, groupMembers }: Pick<ListUsersDeps, 'users' | 'groupMembers'>,
  { orgId, groupId }: { orgId: string; groupId: string },
  { skip, limit, after }: SourceQuery,
): Promise<SourcePage<User>> {
  const members = await groupMembers.page(orgId, groupId, { after: after?.id, skip, limit: limit + 1 });
  const userIds = members.slice(0, limit);
  const last = userIds.at(-1);
  return {
    found: await users.findMany(orgId, userIds),
    ...(last !== undefined && { last: { value: last, id: last } }),
    ...(members.length > limit && { more: true }),
  };
}

async function membersOf(
  { groupMembers }: Pick<ListUsersDeps, 'groupMembers'>,
  orgId: string,
  groupId: string,
): Promise<string[]> {
  const userIds = await groupMembers.page(orgId, groupId, { limit: mostMembers + 1 });
  if (userIds.length <= mostMembers) return userIds;
  throw new AppError(scimErrors.filterTooCostly, {
    detail: `The group has more than ${mostMembers} members. Filter by groups.value alone, in ascending order of id`,
  });
}
