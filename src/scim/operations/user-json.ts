import type { User } from '#src/directory/index.js';
import { type Slices, withLongList } from '../resources/long-list.js';
import type { Projection } from '../resources/project-attributes.js';
import { renderUser } from '../resources/render-user.js';
import type { ScimResource } from '../resources/scim-resource.js';
import type { ScimContext, ScimDeps } from './context.js';
import { type GroupsOfUsersDeps, groupList, type ReadGroups } from './groups-of-users.js';
import { managerNames } from './manager-names.js';

/** A resource, or JSON in parts that are read while they are taken. */
export type Rendered = ScimResource | AsyncGenerator<string>;

/**
 * Reads the names of the managers of users.
 * @param of `groups`: what `groupsOfUsers` returned for these users
 * @returns a function that renders one of the users. It comes in parts if many groups are read
 */
export async function userRenderer(
  deps: GroupsOfUsersDeps & Pick<ScimDeps, 'users'>,
  context: ScimContext,
  of: { users: readonly User[]; groups: ReadGroups; projection: Projection; slices: () => Slices },
): Promise<(user: User) => Rendered> {
  const { users, groups, projection, slices } = of;
  const managers = await managerNames(deps, context, { users, projection });
  return (user) => {
    const managerName = user.manager === undefined ? undefined : managers.get(user.manager);
    const resource = projection.project(renderUser(user, context, { managerName }));
    if (groups === 'many')
      return withLongList(resource, groupList(deps, context, user.id), { projection, slices: slices() });
    const shown = groups.get(user.id) ?? [];
    if (shown.length > 0) resource['groups'] = shown;
    return resource;
  };
}

/** The JSON of one user, in parts if many groups are read: see {@link userRenderer}. */
export async function userJson(
  deps: GroupsOfUsersDeps & Pick<ScimDeps, 'users'>,
  context: ScimContext,
  { user, ...how }: { user: User; groups: ReadGroups; projection: Projection; slices: () => Slices },
): Promise<string | AsyncGenerator<string>> {
  const rendered = (await userRenderer(deps, context, { users: [user], ...how }))(user);
  return inParts(rendered) ? rendered : JSON.stringify(rendered);
}

/** Whether a resource comes as JSON in parts. */
export function inParts(rendered: Rendered): rendered is AsyncGenerator<string> {
  return Symbol.asyncIterator in rendered;
}
