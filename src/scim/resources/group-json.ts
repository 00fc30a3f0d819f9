import type { Group } from '#src/directory/groups/group.js';
import type { ScimContext, ScimDeps } from '../operations/context.js';
import type { Projection } from './project-attributes.js';
import { renderGroup, renderMember } from './render-group.js';
import type { ScimResource } from './scim-resource.js';

/** Members that are read at once. A response with more of them is sent in parts. */
const membersAtOnce = 1_000;
/** The most members of all groups of a list, unless it has a single group. */
const mostInList = 100_000;

type Deps = Pick<ScimDeps, 'groupMembers' | 'users'>;
type Context = Pick<ScimContext, 'organization' | 'baseUrl'>;

/** JSON as a text, or in parts if it has many members. */
export type JsonBody = string | AsyncGenerator<string>;

/** The JSON of a group, with the members if the client wants them. */
export async function groupJson(
  deps: Deps,
  context: Context,
  { group, projection }: { group: Group; projection: Projection },
): Promise<JsonBody> {
  const [only = ''] = await groupsJson(deps, context, { groups: [group], projection });
  return only;
}

/** The members of several groups, by group. `many`: they are read again in parts, while the response is sent. */
export type ReadMembers = ReadonlyMap<string, readonly string[]> | 'many';

/** Whether a response has members. */
export function wantsMembers({ needed }: Projection): boolean {
  return needed?.has('members') ?? true;
}

/** Reads the members of groups, if they are few. */
export async function membersOfGroups(
  { groupMembers }: Pick<Deps, 'groupMembers'>,
  orgId: string,
  groups: readonly Group[],
): Promise<ReadMembers> {
  const ids = groups.map(({ id }) => id);
  const read = await groupMembers.ofGroups(orgId, ids, membersAtOnce + 1);
  return [...read.values()].flat().length > membersAtOnce ? 'many' : read;
}

/**
 * Returns how many of these groups, from the first one on, fit into a list together with their members. It is at least one.
 * @param most the most members of the list
 */
export async function countFitting(
  { groupMembers }: Pick<Deps, 'groupMembers'>,
  { orgId, groups, most = mostInList }: { orgId: string; groups: readonly Group[]; most?: number },
): Promise<number> {
  const ids = groups.map(({ id }) => id);
  if ((await groupMembers.countUpTo(orgId, ids, most + 1)) <= most) return ids.length;
  let left = most;
  for (const [index, id] of ids.entries()) {
    left -= await groupMembers.countUpTo(orgId, [id], left + 1);
    if (left < 0) return Math.max(1, index);
  }
  return ids.length;
}

/**
 * The JSON of each group. Members are read only if the client wants them, and together if they are few.
 * @param list `members`: what {@link membersOfGroups} returned for these groups, if the caller called it
 */
export async function groupsJson(
  deps: Deps,
  context: Context,
  {
    groups,
    projection,
    members,
  }: { groups: readonly Group[]; projection: Projection; members?: ReadMembers | undefined },
): Promise<JsonBody[]> {
  const rendered = (group: Group) => projection.project(renderGroup(group, context.baseUrl));
  if (!wantsMembers(projection) || groups.length === 0)
    return groups.map((group) => JSON.stringify(rendered(group)));
  const orgId = context.organization.id;
  const read = members ?? (await membersOfGroups(deps, orgId, groups));
  if (read === 'many')
    return groups.map((group) => inParts(deps, context, { group, head: rendered(group), projection }));
  const names = await deps.users.displayNamesOf(orgId, [...new Set([...read.values()].flat())]);
  return groups.map((group) => {
    const members = shown(read.get(group.id) ?? [], names, { context, projection });
    return JSON.stringify({ ...rendered(group), ...(members.length > 0 && { members }) });
  });
}

async function* inParts(
  deps: Deps,
  context: Context,
  { group, head, projection }: { group: Group; head: ScimResource; projection: Projection },
): AsyncGenerator<string> {
  const orgId = context.organization.id;
  yield JSON.stringify(head).slice(0, -1);
  let opening = ',"members":[';
  let after: string | undefined;
  do {
    const page = await deps.groupMembers.page(orgId, group.id, { after, limit: membersAtOnce });
    const names = await deps.users.displayNamesOf(orgId, page);
    const members = shown(page, names, { context, projection });
    if (members.length > 0) {
      yield opening + JSON.stringify(members).slice(1, -1);
      opening = ',';
    }
    after = page.length < membersAtOnce ? undefined : page.at(-1);
  } while (after !== undefined);
  yield opening === ',' ? ']}' : '}';
}

/** The members that still exist, with the wanted parts, in the order of their identifiers. */
function shown(
  userIds: readonly string[],
  names: ReadonlyMap<string, string>,
  { context, projection }: { context: Context; projection: Projection },
): unknown[] {
  const members = [...userIds].sort().flatMap((userId) => {
    const display = names.get(userId);
    return display === undefined ? [] : [renderMember(userId, display, context.baseUrl)];
  });
  return (projection.project({ members })['members'] ?? []) as unknown[];
}

/** One JSON text of several, each between its neighbours. */
export async function* joined(
  opening: string,
  bodies: readonly JsonBody[],
  closing: string,
): AsyncGenerator<string> {
  yield opening;
  for (const [index, body] of bodies.entries()) {
    if (index > 0) yield ',';
    if (typeof body === 'string') yield body;
    else yield* body;
  }
  yield closing;
}
