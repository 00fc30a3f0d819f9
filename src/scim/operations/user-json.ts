import type { User } from '#src/directory/users/user.js';
import { type Slices, withLongList } from '../resources/long-list.js';
import type { Projection } from '../resources/project-attributes.js';
import { renderUser } from '../resources/render-user.js';
import type { ScimContext, ScimDeps } from './context.js';
import { type GroupsOfUsersDeps, groupList, type ReadGroups } from './groups-of-users.js';
import { managerNames } from './manager-names.js';

/** JSON of a user as a text, or in parts if many groups are read. */
export type UserJson = string | AsyncGenerator<string>;

/**
 * Reads the names of the managers of users.
 * @param of `groups`: what `groupsOfUsers` returned for these users
 * @returns a function that renders one of the users
 */
export async function usersJson(
  deps: GroupsOfUsersDeps & Pick<ScimDeps, 'users'>,
  context: ScimContext,
  of: { users: readonly User[]; groups: ReadGroups; projection: Projection; slices: () => Slices },
): Promise<(user: User) => UserJson> {
  const { users, groups, projection, slices } = of;
  const managers = await managerNames(deps, context, { users, projection });
  return (user) => {
    const managerName = user.manager === undefined ? undefined : managers.get(user.manager);
    const resource = projection.project(renderUser(user, context, { managerName }));
    if (groups === 'many')
      return withLongList(resource, groupList(deps, context, user.id), { projection, slices: slices() });
    const shown = groups.get(user.id) ?? [];
    if (shown.length > 0) resource['groups'] = shown;
    return JSON.stringify(resource);
  };
}

/** The JSON of one user: see {@link usersJson}. */
export async function userJson(
  deps: GroupsOfUsersDeps & Pick<ScimDeps, 'users'>,
  context: ScimContext,
  { user, ...how }: { user: User; groups: ReadGroups; projection: Projection; slices: () => Slices },
): Promise<UserJson> {
  return (await usersJson(deps, context, { users: [user], ...how }))(user);
}
