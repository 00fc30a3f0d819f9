import { type User, userSeenBy } from '#src/directory/index.js';
import { type MaybeRead, type Slices, withLongList } from '../resources/long-list.js';
import type { Projection } from '../resources/project-attributes.js';
import { renderUser } from '../resources/render-user.js';
import type { ScimResource } from '../resources/scim-resource.js';
import type { ScimContext, ScimDeps } from './context.js';
import { type GroupsOfUsersDeps, groupList, type ReadGroups } from './groups-of-users.js';
import { managerNames, showsManagers } from './manager-names.js';

/** A resource, or JSON in parts that are read while they are taken. */
export type Rendered = ScimResource | AsyncGenerator<string>;

const noManagers: ReadonlyMap<string, string> = new Map();

interface UsersToRender {
  /** What `groupsOfUsers` returned for these users. */
  readonly groups: ReadGroups;
  readonly projection: Projection;
  readonly slices: () => Slices;
}

/**
 * Returns a function that renders a user. It comes in parts if many groups are read.
 * @param managers what `managerNames` returned. Absent if no user shows the name of a manager
 */
export function userRenderer(
  deps: GroupsOfUsersDeps,
  context: ScimContext,
  of: UsersToRender & { readonly managers?: ReadonlyMap<string, string> },
): (user: User) => Rendered {
  const { groups, projection, slices, managers = noManagers } = of;
  return (user) => {
    const managerName = user.manager === undefined ? undefined : managers.get(user.manager);
    const resource = projection.project(
      renderUser(userSeenBy(user, context.connectionClient), context, { managerName }),
    );
    if (groups === 'many')
      return withLongList(resource, groupList(deps, context, user.id), { projection, slices: slices() });
    const shown = groups.get(user.id) ?? [];
    if (shown.length > 0) resource['groups'] = shown;
    return resource;
  };
}

/**
 * The JSON of one user, in parts if many groups are read: see {@link userRenderer}. It is a promise only where the name of a manager is read,
 * because a request that reads one user notices each wait.
 */
export function userJson(
  deps: GroupsOfUsersDeps & Pick<ScimDeps, 'users'>,
  context: ScimContext,
  { user, ...how }: UsersToRender & { readonly user: User },
): MaybeRead<string | AsyncGenerator<string>> {
  const textOf = (managers?: ReadonlyMap<string, string>) => {
    const resource = userRenderer(deps, context, { ...how, ...(managers && { managers }) })(user);
    return inParts(resource) ? resource : JSON.stringify(resource);
  };
  const of = { users: [user], projection: how.projection };
  return showsManagers(of.users, of.projection) ? managerNames(deps, context, of).then(textOf) : textOf();
}

/** Whether a resource comes as JSON in parts. */
export function inParts(rendered: Rendered): rendered is AsyncGenerator<string> {
  return Symbol.asyncIterator in rendered;
}
