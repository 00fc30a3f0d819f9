import { type PagedList, shownValues, valuesAtOnce } from '../resources/long-list.js';
import type { Projection } from '../resources/project-attributes.js';
import { renderGroupOfUser } from '../resources/render-group.js';
import type { ScimContext, ScimDeps } from './context.js';

export type GroupsOfUsersDeps = Pick<ScimDeps, 'groupNames' | 'groupMembers' | 'rememberedGroups' | 'caches'>;
type Context = Pick<ScimContext, 'organization' | 'baseUrl'>;

/**
 * The groups of users as `groups` shows them (RFC 7643 section 4.1.2), by user. A user in no group is left out. `many`: they are read
 * again in parts, while the response is sent.
 */
export type ReadGroups = ReadonlyMap<string, readonly unknown[]> | 'many';

/** With more memberships of all users together, the groups are read in parts. */
const fewMemberships = 2_000;

/** Reads the groups of users, if they are few. */
export async function groupsOfUsers(
  deps: GroupsOfUsersDeps,
  context: Context,
  { userIds, projection }: { userIds: readonly string[]; projection: Projection },
): Promise<ReadGroups> {
  const orgId = context.organization.id;
  if (!(await deps.caches.groupGenerations.get(orgId)).hasGroups) return new Map();
  const found = await membershipsOf(deps, orgId, userIds);
  const named = [...found.values()].flat();
  if (named.length > fewMemberships) return 'many';
  if (named.length === 0) return new Map();
  const names = await deps.groupNames.of(orgId, [...new Set(named)]);
  return new Map(
    [...found].map(([userId, groupIds]) => {
      const list = groupList(deps, context, userId);
      return [userId, shownValues([...groupIds].sort(), names, { ...list, projection })];
    }),
  );
}

/** At most one membership more than are few. The groups of single users are remembered, and their reads are gathered. */
async function membershipsOf(
  { groupMembers, rememberedGroups }: GroupsOfUsersDeps,
  orgId: string,
  userIds: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const limit = fewMemberships + 1;
  const [userId] = userIds;
  if (userId === undefined || userIds.length > 1) return groupMembers.groupsOfMany(orgId, userIds, limit);
  return new Map([[userId, await rememberedGroups.of(orgId, userId, limit)]]);
}

/** The groups of one user. None if the client does not want them. */
export async function groupsOfUser(
  deps: GroupsOfUsersDeps,
  context: Context,
  { userId, projection }: { userId: string; projection: Projection },
): Promise<ReadGroups> {
  if (projection.needed !== undefined && !projection.needed.has('groups')) return new Map();
  return groupsOfUsers(deps, context, { userIds: [userId], projection });
}

/** The groups of a user as a list that is read in pages. */
export function groupList(
  { groupNames, groupMembers }: Pick<GroupsOfUsersDeps, 'groupNames' | 'groupMembers'>,
  { organization, baseUrl }: Context,
  userId: string,
): PagedList {
  const orgId = organization.id;
  return {
    name: 'groups',
    page: (after) => groupMembers.groupsPage(orgId, userId, { after, limit: valuesAtOnce }),
    names: (ids) => groupNames.of(orgId, ids),
    render: (groupId, display) => renderGroupOfUser(groupId, display, baseUrl),
  };
}
