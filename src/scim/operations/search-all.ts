import { AppError } from '#src/platform/errors.js';
import type { ListClient } from '../list/list-permits.js';
import type { ListQuery } from '../list/list-query.js';
import { cursorPageBytes, indexPageBytes, PageBody } from '../list/page-body.js';
import { parseSearchRequest } from '../list/parse-search-request.js';
import { scimErrors } from '../protocol/errors.js';
import type { JsonBody } from '../resources/long-list.js';
import { groupSchema } from '../schema/group-attributes.js';
import type { ResourceSchema } from '../schema/resource-schema.js';
import type { ScimContext, ScimDeps } from './context.js';
import { groupSource, takeGroups } from './list-groups.js';
import { type FoundPage, listResources } from './list-resources.js';
import { type ListUsersDeps, takeUsers, userSource } from './list-users.js';

type SearchDeps = ListUsersDeps & Pick<ScimDeps, 'groups'>;

/** The query for each type. Absent if the filter names an attribute that the type lacks. At least one is there. */
interface Queries {
  readonly users?: ListQuery;
  readonly groups?: ListQuery;
}

/** What the search over one type needs, and the body that takes the resources. */
interface Search {
  readonly deps: SearchDeps;
  readonly context: ScimContext;
  readonly work: ReturnType<ListUsersDeps['permits']['open']>;
  readonly body: PageBody;
}

type FinishedPage = Parameters<PageBody['finish']>[0];

/** Where a page by cursor begins: in the users, or in the groups with the number of all users before them. */
type PagePosition = { readonly type: 'users'; readonly cursor: string } | GroupPosition;
type GroupPosition = { readonly type: 'groups'; readonly cursor: string; readonly users: number };

/**
 * Finds users and groups at once (RFC 7644 section 3.4.3): first all matching users, then all matching groups, each in the wanted
 * order. A type that lacks an attribute of the filter has no match.
 * @throws AppError as `listResources`; `scim.pageTooLarge`
 */
export async function searchAll(
  deps: SearchDeps,
  context: ScimContext,
  { body: request, client }: { body: unknown; client: ListClient },
): Promise<JsonBody> {
  const orgId = context.organization.id;
  const queries = queriesOf(request, context.userSchema);
  const { count, cursor } = (queries.users ?? queries.groups) as ListQuery;
  const byCursor = cursor !== undefined && count > 0;
  const most = byCursor ? cursorPageBytes : indexPageBytes;
  const work = deps.permits.open({ orgId, noun: 'user', count, most, client });
  try {
    const search = { deps, context, work, body: new PageBody({ byCursor }) };
    const page = byCursor
      ? await pageByCursor(search, queries, positionOf(cursor, queries))
      : await pageByIndex(search, queries);
    await work.endReading(search.body);
    return search.body.finish(page);
  } catch (error) {
    work.release();
    throw error;
  }
}

const noPage: FoundPage = { taken: 0, totalResults: 0 };

/** A page by index. Its users may end in the middle, and groups follow. */
async function pageByIndex(search: Search, queries: Queries): Promise<FinishedPage> {
  const { startIndex, count } = (queries.users ?? queries.groups) as ListQuery;
  const users = queries.users ? await findUsers(search, byIndex(queries.users)) : noPage;
  const groups = queries.groups
    ? await findGroups(search, {
        ...byIndex(queries.groups),
        startIndex: Math.max(1, startIndex - users.totalResults),
        count: count - users.taken,
      })
    : noPage;
  return { totalResults: users.totalResults + groups.totalResults, startIndex };
}

/** A page by cursor (RFC 9865). It has users or groups, because each list may end early. */
async function pageByCursor(search: Search, queries: Queries, position: PagePosition): Promise<FinishedPage> {
  if (position.type === 'groups') return groupsByCursor(search, queries, position);
  const { users, groups } = queries;
  if (users === undefined) throw new AppError(scimErrors.badCursor);
  const { nextCursor, totalResults } = await findUsers(search, { ...users, cursor: position.cursor });
  if (nextCursor === undefined && groups !== undefined && search.body.count === 0)
    return groupsByCursor(search, queries, { type: 'groups', cursor: '', users: totalResults });
  const others = groups ? await countGroups(search, groups) : 0;
  const afterUsers = others > 0 ? `g.${totalResults}.` : undefined;
  return {
    totalResults: totalResults + others,
    nextCursor: nextCursor === undefined ? afterUsers : `u.${nextCursor}`,
  };
}

async function groupsByCursor(
  search: Search,
  { groups }: Queries,
  { cursor, users }: GroupPosition,
): Promise<FinishedPage> {
  if (groups === undefined) throw new AppError(scimErrors.badCursor);
  const { nextCursor, totalResults } = await findGroups(search, { ...groups, cursor });
  return {
    totalResults: users + totalResults,
    nextCursor: nextCursor === undefined ? undefined : `g.${users}.${nextCursor}`,
  };
}

/** @throws AppError `scim.badCursor` */
function positionOf(cursor: string, { users }: Queries): PagePosition {
  if (cursor === '')
    return users === undefined ? { type: 'groups', cursor, users: 0 } : { type: 'users', cursor };
  const [, ofUsers, total, ofGroups] = /^(?:u\.([\w-]+)|g\.(\d{1,15})\.([\w-]*))$/.exec(cursor) ?? [];
  if (ofUsers !== undefined) return { type: 'users', cursor: ofUsers };
  if (ofGroups !== undefined) return { type: 'groups', cursor: ofGroups, users: Number(total) };
  throw new AppError(scimErrors.badCursor);
}

function findUsers({ deps, context, work, body }: Search, query: ListQuery): Promise<FoundPage> {
  const orgId = context.organization.id;
  const take = takeUsers(deps, context, { body, work, projection: query.projection });
  return listResources(deps, userSource(deps, orgId), { orgId, query, work, take });
}

function findGroups({ deps, context, work, body }: Search, query: ListQuery): Promise<FoundPage> {
  const orgId = context.organization.id;
  const take = takeGroups(deps, context, { body, work, query });
  return listResources(deps, groupSource(deps, orgId), { orgId, query, work, take });
}

/** The number of groups that match, under the same limits of cost as a list. */
async function countGroups(search: Search, query: ListQuery): Promise<number> {
  return (await findGroups(search, { ...byIndex(query), count: 0 })).totalResults;
}

function byIndex({ cursor: _cursor, ...query }: ListQuery): ListQuery {
  return query;
}

function queriesOf(body: unknown, userSchema: ResourceSchema): Queries {
  const users = queryOf(body, userSchema);
  const groups = queryOf(body, groupSchema);
  if (users instanceof AppError && groups instanceof AppError) throw users;
  return {
    ...(!(users instanceof AppError) && { users }),
    ...(!(groups instanceof AppError) && { groups }),
  };
}

function queryOf(body: unknown, schema: ResourceSchema): ListQuery | AppError {
  try {
    return parseSearchRequest(body, schema);
  } catch (error) {
    const isForOther = [scimErrors.filterUnsupported, scimErrors.badSort].some(
      (definition) => error instanceof AppError && error.definition === definition,
    );
    if (isForOther) return error as AppError;
    throw error;
  }
}
