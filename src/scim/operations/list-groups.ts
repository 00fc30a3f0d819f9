import type { Group, GroupMembersStore } from '#src/people/groups/index.js';
import { AppError } from '#src/platform/errors.js';
import type { PacedReader } from '#src/platform/mongo/paced-reads.js';
import { mostFound, resolveRelation } from '../filter/resolve-relation.js';
import type { ListClient, ListWork } from '../list/list-permits.js';
import type { ListQuery } from '../list/list-query.js';
import { cursorPageBytes, indexPageBytes, PageBody } from '../list/page-body.js';
import { scimErrors } from '../protocol/errors.js';
import type { JsonBody } from '../resources/long-list.js';
import type { ScimContext, ScimDeps } from './context.js';
import { groupsJson, wantsMembers } from './group-json.js';
import { type ListDeps, type ListSource, listResources } from './list-resources.js';

type ListGroupsDeps = ListDeps & Pick<ScimDeps, 'users' | 'groups' | 'groupMembers'>;

/** The most members of all groups of a page by index, unless it has a single group. */
const mostInList = 100_000;

/**
 * Finds groups: see {@link listResources}. Members are read only if the client wants them. A page by cursor ends when it has much text. A
 * page by index is whole. If it has many members, they are read while it is sent.
 * @throws AppError `scim.pageTooLarge`
 */
export async function listGroups(
  deps: ListGroupsDeps,
  context: ScimContext,
  { query, client }: { query: ListQuery; client: ListClient },
): Promise<JsonBody> {
  const orgId = context.organization.id;
  const byCursor = query.cursor !== undefined;
  const most = byCursor ? cursorPageBytes : indexPageBytes;
  const noun = wantsMembers(query.projection) ? 'group with members' : 'group';
  const work = deps.permits.open({ orgId, noun, count: query.count, most, client });
  try {
    const body = new PageBody({ byCursor });
    const take = takeGroups(deps, context, { body, work, query });
    const page = await listResources(deps, groupSource(deps, orgId), { orgId, query, work, take });
    await work.endReading(body);
    return body.finish(page);
  } catch (error) {
    work.release();
    throw error;
  }
}

/** Renders groups while they are read. */
export function takeGroups(
  deps: ListGroupsDeps,
  context: ScimContext,
  { body, work, query }: { body: PageBody; work: ListWork; query: ListQuery },
): PacedReader<Group>['take'] {
  const orgId = context.organization.id;
  const byCursor = query.cursor !== undefined;
  let members = 0;

  /** A page by index tells before its beginning that it has too many members. */
  async function countMembers(groups: readonly Group[]): Promise<void> {
    const ids = groups.map(({ id }) => id);
    members += await deps.groupMembers.countUpTo(orgId, ids, mostInList + 1 - members);
    if (members > mostInList && body.count + groups.length > 1) throw new AppError(scimErrors.pageTooLarge);
  }

  return async (groups) => {
    const { projection } = query;
    const all = await work.away(() => groupsJson(deps, context, { groups, projection, slices: () => work }));
    if (!byCursor && all.some((one) => typeof one !== 'string'))
      await work.readPart(() => countMembers(groups));
    let taken = 0;
    for (const one of all) {
      if (typeof one === 'string' ? !body.add(one) : byCursor && !(await body.addPieces(one))) break;
      if (typeof one !== 'string' && !byCursor) body.addStream(one);
      taken++;
      await work.holdFor(body.bytes);
    }
    return taken;
  };
}

/** The groups of an organization. */
export function groupSource(
  { users, groups, groupMembers }: Pick<ListGroupsDeps, 'users' | 'groups' | 'groupMembers'>,
  orgId: string,
): ListSource<Group> {
  const find = async (userId: string | undefined, among: readonly string[] | undefined) => {
    if (userId === undefined) return withMembers(groupMembers, orgId, among);
    // A process may have ended before it removed a membership of a user who is gone.
    if ((await users.existing(orgId, [userId])).size === 0) return [];
    if (among !== undefined) {
      const isMember = await Promise.all(
        among.map(async (groupId) => (await groupMembers.among(orgId, groupId, [userId])).has(userId)),
      );
      return among.filter((_, index) => isMember[index]);
    }
    const found = await groupMembers.groupsOf(orgId, userId, mostFound + 1);
    if (found.length <= mostFound) return found;
    const detail = `The user is in more than ${mostFound} groups. Name one by id`;
    throw new AppError(scimErrors.filterTooCostly, { detail });
  };
  return {
    noun: 'group',
    count: async (filter) => groups.count(orgId, await resolveRelation(filter, 'members', find)),
    async page(query, reader) {
      const filter = await resolveRelation(query.filter, 'members', find);
      return groups.readPage(orgId, { ...query, ...(filter && { filter }) }, reader);
    },
  };
}

/**
 * The groups that have members.
 * @param among if given, only these matter
 * @throws AppError `scim.filterTooCostly`
 */
async function withMembers(
  groupMembers: Pick<GroupMembersStore, 'countUpTo' | 'groupsWithMembers'>,
  orgId: string,
  among: readonly string[] | undefined,
): Promise<readonly string[]> {
  if (among !== undefined) {
    const counts = await Promise.all(among.map((groupId) => groupMembers.countUpTo(orgId, [groupId], 1)));
    return among.filter((_, index) => counts[index] !== 0);
  }
  const found = await groupMembers.groupsWithMembers(orgId, mostFound + 1);
  if (found.length <= mostFound) return found;
  const detail = `More than ${mostFound} groups have members. Name one by id`;
  throw new AppError(scimErrors.filterTooCostly, { detail });
}
