import type { User } from '#src/directory/index.js';
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
  readonly users: readonly User[];
  /** What `groupsOfUsers` returned for these users. */
  readonly groups: ReadGroups;
  readonly projection: Projection;
  readonly slices: () => Slices;
}

type RendererDeps = GroupsOfUsersDeps & Pick<ScimDeps, 'users'>;

/**
 * Reads the names of the managers of users.
 * @returns a function that renders one of the users. It comes in parts if many groups are read
 */
export async function userRenderer(
  deps: RendererDeps,
  context: ScimContext,
  of: UsersToRender,
): Promise<(user: User) => Rendered> {
  const managers = await managerNames(deps, context, of);
  return (user) => rendered(deps, context, { ...of, user, managers });
}

/**
 * The JSON of one user, in parts if many groups are read: see {@link userRenderer}. It waits only where the name of a manager is read: each
 * wait of a request that reads one user is noticeable.
 */
export function userJson(
  deps: RendererDeps,
  context: ScimContext,
  { user, ...how }: Omit<UsersToRender, 'users'> & { readonly user: User },
): MaybeRead<string | AsyncGenerator<string>> {
  const textOf = (managers: ReadonlyMap<string, string>) => {
    const resource = rendered(deps, context, { ...how, user, managers });
    return inParts(resource) ? resource : JSON.stringify(resource);
  };
  const of = { users: [user], projection: how.projection };
  return showsManagers(of.users, of.projection)
    ? managerNames(deps, context, of).then(textOf)
    : textOf(noManagers);
}

function rendered(
  deps: RendererDeps,
  context: ScimContext,
  of: Omit<UsersToRender, 'users'> & { readonly user: User; readonly managers: ReadonlyMap<string, string> },
): Rendered {
  const { user, managers, groups, projection, slices } = of;
  const managerName = user.manager === undefined ? undefined : managers.get(user.manager);
  const resource = projection.project(renderUser(user, context, { managerName }));
  if (groups === 'many')
    return withLongList(resource, groupList(deps, context, user.id), { projection, slices: slices() });
  const shown = groups.get(user.id) ?? [];
  if (shown.length > 0) resource['groups'] = shown;
  return resource;
}

/** Whether a resource comes as JSON in parts. */
export function inParts(rendered: Rendered): rendered is AsyncGenerator<string> {
  return Symbol.asyncIterator in rendered;
}
