import type { User } from '#src/directory/index.js';
import { type ResourceQuery, userNameOf } from '#src/people/queries/index.js';
import { AppError } from '#src/platform/errors.js';
import type { PacedReader } from '#src/platform/mongo/paced-reads.js';
import { mostFound, resolveRelation } from '../filter/resolve-relation.js';
import type { ListClient, ListWork } from '../list/list-permits.js';
import type { ListQuery } from '../list/list-query.js';
import { cursorPageBytes, indexPageBytes, PageBody } from '../list/page-body.js';
import { scimErrors } from '../protocol/errors.js';
import type { JsonBody } from '../resources/long-list.js';
import type { Projection } from '../resources/project-attributes.js';
import type { ScimResource } from '../resources/scim-resource.js';
import type { ScimContext, ScimDeps } from './context.js';
import { type GroupsOfUsersDeps, groupsOfUsers, type ReadGroups } from './groups-of-users.js';
import {
  type ListDeps,
  type ListSource,
  listResources,
  type SourcePage,
  type SourceQuery,
} from './list-resources.js';
import { managerNames, showsManagers } from './manager-names.js';
import { inParts, type Rendered, userRenderer } from './user-json.js';

/** Of users who show no groups and no names of managers. */
const inMemory: { readonly groups: ReadGroups; readonly managers: ReadonlyMap<string, string> } = {
  groups: new Map(),
  managers: new Map(),
};

export type ListUsersDeps = ListDeps &
  Pick<ScimDeps, 'users' | 'userCounter' | 'groupNames' | 'groupMembers' | 'rememberedGroups' | 'caches'>;

/** Finds users: see {@link listResources}. Their groups are read only if the client names them in `attributes`. */
export async function listUsers(
  deps: ListUsersDeps,
  context: ScimContext,
  { query, client }: { query: ListQuery; client: ListClient },
): Promise<JsonBody> {
  const orgId = context.organization.id;
  const byCursor = query.cursor !== undefined;
  const body = new PageBody({ byCursor });
  const most = byCursor ? cursorPageBytes : indexPageBytes;
  const work = deps.permits.open({ orgId, noun: 'user', count: query.count, most, client });
  try {
    const take = takeUsers(deps, context, { body, work, projection: query.projection });
    const page = await listResources(deps, userSource(deps, orgId), { orgId, query, work, take });
    await work.endReading(body);
    return body.finish(page);
  } catch (error) {
    work.release();
    throw error;
  }
}

/** Renders users while they are read. */
export function takeUsers(
  deps: GroupsOfUsersDeps & Pick<ScimDeps, 'users'>,
  context: ScimContext,
  { body, work, projection }: { body: PageBody; work: ListWork; projection: Projection },
): PacedReader<User>['take'] {
  const slices = () => work;
  const isInMemory = (users: readonly User[]) =>
    !projection.asked.has('groups') && !showsManagers(users, projection);
  const readRelated = async (users: readonly User[]) => {
    const userIds = users.map(({ id }) => id);
    const groups: ReadGroups = projection.asked.has('groups')
      ? await groupsOfUsers(deps, context, { userIds, projection })
      : inMemory.groups;
    return { groups, managers: await managerNames(deps, context, { users, projection }) };
  };
  return async (users) => {
    const { groups, managers } = isInMemory(users) ? inMemory : await work.away(() => readRelated(users));
    const render = userRenderer(deps, context, { groups, managers, projection, slices });
    // A usual page is written at once, which takes less time than user by user.
    if (!work.isLarge() && body.count === 0) {
      const resources = users.map(render);
      if (areWhole(resources) && body.addAll(resources)) return users.length;
    }
    let taken = 0;
    for (const user of users) {
      const rendered = render(user);
      const isAdded = inParts(rendered) ? await body.addPieces(rendered) : body.add(JSON.stringify(rendered));
      if (!isAdded) break;
      taken++;
      await work.holdFor(body.bytes);
      if (work.isDue()) await work.turn();
    }
    return taken;
  };
}

function areWhole(rendered: readonly Rendered[]): rendered is ScimResource[] {
  return !rendered.some(inParts);
}

/** The users of an organization. */
export function userSource(deps: Omit<ListUsersDeps, keyof ListDeps>, orgId: string): ListSource<User> {
  const resolve = (filter: ResourceQuery | undefined) =>
    resolveRelation(filter, 'groups', (groupId, among) =>
      groupId === undefined ? inGroups(deps, orgId, among) : membersOf(deps, orgId, groupId),
    );
  return {
    noun: 'user',
    isLookUp: (query) => userNameOf(query) !== undefined,
    async count(filter) {
      const groupId = onlyGroup(filter);
      if (groupId !== undefined) return deps.groupMembers.count(orgId, groupId);
      return deps.userCounter.count(orgId, await resolve(filter));
    },
    async page(query, reader) {
      const groupId = onlyGroup(query.filter);
      const isById = query.sort.field === '_id' && query.sort.direction === 1;
      if (groupId !== undefined && isById) return memberPage(deps, { orgId, groupId, reader }, query);
      const filter = await resolve(query.filter);
      return deps.users.readPage(orgId, { ...query, ...(filter && { filter }) }, reader);
    },
  };
}

/** The group if the filter asks for its members alone. */
function onlyGroup(filter: ResourceQuery | undefined): string | undefined {
  return filter?.kind === 'related' ? filter.id : undefined;
}

/** A page of the members of a group of any size, in the order of their identifiers. */
async function memberPage(
  { users, groupMembers }: Pick<ListUsersDeps, 'users' | 'groupMembers'>,
  { orgId, groupId, reader }: { orgId: string; groupId: string; reader: PacedReader<User> },
  { skip, limit, after }: SourceQuery,
): Promise<SourcePage> {
  const members = await groupMembers.page(orgId, groupId, { after: after?.id, skip, limit: limit + 1 });
  const userIds = members.slice(0, limit);
  const { taken, last, more } = await users.readMany(orgId, userIds, reader);
  const end = more ? last?._id : userIds.at(-1);
  return {
    taken,
    ...(end !== undefined && { last: { value: end, id: end } }),
    ...((more || members.length > limit) && { more: true }),
  };
}

/**
 * The users who are in a group.
 * @param among if given, only these matter
 * @throws AppError `scim.filterTooCostly`
 */
async function inGroups(
  { groupMembers }: Pick<ListUsersDeps, 'groupMembers'>,
  orgId: string,
  among: readonly string[] | undefined,
): Promise<readonly string[]> {
  if (among !== undefined) {
    const groups = await Promise.all(among.map((userId) => groupMembers.groupsOf(orgId, userId, 1)));
    return among.filter((_, index) => groups[index]?.length !== 0);
  }
  const found = await groupMembers.usersInGroups(orgId, mostFound + 1);
  if (found.length <= mostFound) return found;
  throw new AppError(scimErrors.filterTooCostly, { detail: `More than ${mostFound} users are in groups` });
}

/** @throws AppError `scim.filterTooCostly` */
async function membersOf(
  { groupMembers }: Pick<ListUsersDeps, 'groupMembers'>,
  orgId: string,
  groupId: string,
): Promise<string[]> {
  const userIds = await groupMembers.page(orgId, groupId, { limit: mostFound + 1 });
  if (userIds.length <= mostFound) return userIds;
  throw new AppError(scimErrors.filterTooCostly, {
    detail: `The group has more than ${mostFound} members. Filter by groups.value alone, in ascending order of id`,
  });
}
