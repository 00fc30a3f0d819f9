import type { Group } from '#src/directory/groups/group.js';
import { AppError } from '#src/platform/errors.js';
import type { ScimContext, ScimDeps } from '../operations/context.js';
import { scimErrors } from '../protocol/errors.js';
import type { Projection } from './project-attributes.js';
import { renderGroup, renderMember } from './render-group.js';
import type { ScimResource } from './scim-resource.js';

/** Members that are read at once. A response with more of them is sent in parts. */
const membersAtOnce = 1_000;
/** The most members of all groups of a list. A response with a single group has no such limit. */
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

/** The JSON of each group. Members are read only if the client wants them, and together if they are few. */
export async function groupsJson(
  deps: Deps,
  context: Context,
  { groups, projection }: { groups: readonly Group[]; projection: Projection },
): Promise<JsonBody[]> {
  const rendered = (group: Group) => projection.project(renderGroup(group, context.baseUrl));
  const wantsMembers = projection.needed?.has('members') ?? true;
  if (!wantsMembers || groups.length === 0) return groups.map((group) => JSON.stringify(rendered(group)));
  const orgId = context.organization.id;
  const ids = groups.map(({ id }) => id);
  const few = await deps.groupMembers.ofGroups(orgId, ids, membersAtOnce + 1);
  const read = [...few.values()].flat();
  if (read.length > membersAtOnce) {
    if (groups.length > 1) await requireFew(deps, orgId, ids);
    return groups.map((group) => inParts(deps, context, { group, head: rendered(group), projection }));
  }
  const names = await deps.users.displayNamesOf(orgId, [...new Set(read)]);
  return groups.map((group) => {
    const members = shown(few.get(group.id) ?? [], names, { context, projection });
    return JSON.stringify({ ...rendered(group), ...(members.length > 0 && { members }) });
  });
}

/** @throws AppError `scim.tooManyMembers` if the groups of a list have more members than one response may have */
async function requireFew({ groupMembers }: Deps, orgId: string, ids: readonly string[]): Promise<void> {
  if ((await groupMembers.countUpTo(orgId, ids, mostInList + 1)) <= mostInList) return;
  throw new AppError(scimErrors.tooManyMembers, {
    detail: `The groups of the page have more than ${mostInList} members. Send excludedAttributes=members, or a smaller count`,
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
