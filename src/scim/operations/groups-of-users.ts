import { AppError } from '#src/platform/errors.js';
import { scimErrors } from '../protocol/errors.js';
import { renderGroupOfUser } from '../resources/render-group.js';
import type { ScimResource } from '../resources/scim-resource.js';
import type { ScimContext, ScimDeps } from './context.js';

export type GroupsOfUsersDeps = Pick<ScimDeps, 'groups' | 'groupMembers' | 'caches'>;

/** The most memberships of the users of one response. */
const mostMemberships = 100_000;

/**
 * The groups of users as `groups` shows them (RFC 7643 section 4.1.2), by user. A user in no group is left out.
 * @throws AppError `scim.filterTooCostly` if the users have more than 100,000 memberships
 */
export async function groupsOfUsers(
  { groups, groupMembers, caches }: GroupsOfUsersDeps,
  { organization, baseUrl }: Pick<ScimContext, 'organization' | 'baseUrl'>,
  { userIds }: { userIds: readonly string[] },
): Promise<Map<string, ScimResource[]>> {
  const orgId = organization.id;
  if (!(await caches.groupGenerations.get(orgId)).hasGroups) return new Map();
  const found = await groupMembers.groupsOfMany(orgId, userIds, mostMemberships + 1);
  const named = [...found.values()].flat();
  if (named.length > mostMemberships) {
    const detail = `The users of the page have more than ${mostMemberships} memberships. Ask for fewer users`;
    throw new AppError(scimErrors.filterTooCostly, { detail });
  }
  if (named.length === 0) return new Map();
  const names = await groups.namesOf(orgId, [...new Set(named)]);
  const shown = (groupIds: readonly string[]) =>
    [...groupIds].sort().flatMap((groupId) => {
      const display = names.get(groupId);
      return display === undefined ? [] : [renderGroupOfUser(groupId, display, baseUrl)];
    });
  return new Map([...found].map(([userId, groupIds]) => [userId, shown(groupIds)]));
}

/** The groups of one user. Undefined if the client does not want them, or the user is in none. */
export async function groupsOfUser(
  deps: GroupsOfUsersDeps,
  context: Pick<ScimContext, 'organization' | 'baseUrl'>,
  { userId, needed }: { userId: string; needed: ReadonlySet<string> | undefined },
): Promise<ScimResource[] | undefined> {
  if (needed !== undefined && !needed.has('groups')) return undefined;
  return (await groupsOfUsers(deps, context, { userIds: [userId] })).get(userId);
}
