import type { Group } from '#src/people/groups/index.js';
import {
  type PagedList,
  type Slices,
  shownValues,
  valuesAtOnce,
  withLongList,
} from '../resources/long-list.js';
import type { Projection } from '../resources/project-attributes.js';
import { renderGroup, renderMember } from '../resources/render-group.js';
import type { ScimContext, ScimDeps } from './context.js';

type Deps = Pick<ScimDeps, 'groupMembers' | 'users'>;
type Context = Pick<ScimContext, 'organization' | 'baseUrl'>;

/** JSON of a group as a text, or in parts if many members are read. */
type GroupJson = string | AsyncGenerator<string>;

/** Whether a response has members. */
export function wantsMembers({ needed }: Projection): boolean {
  return needed?.has('members') ?? true;
}

/**
 * The JSON of each group. Members are read only if the client wants them, and together if they are few. Otherwise they are read while
 * the parts are taken.
 */
export async function groupsJson(
  deps: Deps,
  context: Context,
  { groups, projection, slices }: { groups: readonly Group[]; projection: Projection; slices: () => Slices },
): Promise<GroupJson[]> {
  const rendered = (group: Group) => projection.project(renderGroup(group, context.baseUrl));
  if (!wantsMembers(projection) || groups.length === 0)
    return groups.map((group) => JSON.stringify(rendered(group)));
  const orgId = context.organization.id;
  const members = (groupId: string): PagedList => ({
    name: 'members',
    page: (after) => deps.groupMembers.page(orgId, groupId, { after, limit: valuesAtOnce }),
    names: (ids) => deps.users.displayNamesOf(orgId, ids),
    render: (userId, display) => renderMember(userId, display, context.baseUrl),
  });
  const ids = groups.map(({ id }) => id);
  const read = await deps.groupMembers.ofGroups(orgId, ids, valuesAtOnce + 1);
  const all = [...read.values()].flat();
  if (all.length > valuesAtOnce)
    return groups.map((group) =>
      withLongList(rendered(group), members(group.id), { projection, slices: slices() }),
    );
  const names = await deps.users.displayNamesOf(orgId, [...new Set(all)]);
  return groups.map((group) => {
    const found = [...(read.get(group.id) ?? [])].sort();
    const shown = shownValues(found, names, { ...members(group.id), projection });
    return JSON.stringify({ ...rendered(group), ...(shown.length > 0 && { members: shown }) });
  });
}

/** The JSON of a group. */
export async function groupJson(
  deps: Deps,
  context: Context,
  { group, ...how }: { group: Group; projection: Projection; slices: () => Slices },
): Promise<GroupJson> {
  const [only = ''] = await groupsJson(deps, context, { groups: [group], ...how });
  return only;
}
