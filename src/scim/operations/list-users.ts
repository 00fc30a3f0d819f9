import { AppError } from '#src/platform/errors.js';
import { decodeCursor, encodeCursor } from '../list/cursor.js';
import type { ListQuery } from '../list/list-query.js';
import { type ListResponse, listResponse } from '../list/list-response.js';
import { scimErrors } from '../protocol/errors.js';
import { renderUser } from '../resources/render-user.js';
import type { ScimContext, ScimDeps } from './context.js';

export type ListUsersDeps = Pick<ScimDeps, 'users' | 'userCounter' | 'config'> & {
  /** Runs searches that read many users one after the other for each holder, which is an organization. */
  readonly scans: { run<T>(holder: string, work: () => Promise<T>): Promise<T> };
};

/**
 * A search does not wait for others of its organization if it reads at most this part of what is possible. It then takes a
 * few milliseconds.
 */
const quickPart = 1 / 100;
/** The store reads all users before this index to find the page. */
const quickStart = 10_000;

/**
 * Finds users: a page by index (RFC 7644 section 3.4.2.4) or by cursor (RFC 9865). Searches that read many users take turns
 * with others of their organization, so that they do not take the processors and connections of MongoDB from others.
 * @throws AppError `scim.badCursor`, `scim.filterTooCostly`, `scim.tooManySearches`
 */
export async function listUsers(
  deps: ListUsersDeps,
  context: ScimContext,
  query: ListQuery,
): Promise<ListResponse> {
  const orgId = context.organization.id;
  const isDeep = query.count > 0 && query.startIndex > quickStart;
  const scansQuickly = await affordable(deps, orgId, query.scanning);
  return scansQuickly && !isDeep
    ? list(deps, context, query)
    : deps.scans.run(orgId, () => list(deps, context, query));
}

/**
 * @returns whether so little is read that the search need not wait
 * @throws AppError `scim.filterTooCostly`
 */
async function affordable(
  { userCounter, config }: Pick<ScimDeps, 'userCounter' | 'config'>,
  orgId: string,
  scanning: readonly string[],
): Promise<boolean> {
  if (scanning.length === 0) return true;
  const limit = config.scimScanLimit;
  if (limit === 0) return false;
  const users = await userCounter.estimate(orgId);
  const conditions = users * scanning.length;
  // A search with one condition must be possible in an organization of any size.
  if (conditions <= limit || scanning.length === 1) return conditions <= limit * quickPart;
  throw new AppError(scimErrors.filterTooCostly, {
    detail: `Every one of ${users} users is read for ${scanning.length} conditions, such as ${scanning[0]}. At most ${Math.max(1, Math.floor(limit / users))} are possible`,
  });
}

async function list(
  deps: Pick<ScimDeps, 'users' | 'userCounter'>,
  context: ScimContext,
  query: ListQuery,
): Promise<ListResponse> {
  const orgId = context.organization.id;
  const { filter, sort, startIndex, count, cursor, projection } = query;
  const byCursor = cursor !== undefined;
  const after = cursor ? decodeCursor(cursor, query) : undefined;
  if (cursor && after === undefined) throw new AppError(scimErrors.badCursor);
  if (count === 0) {
    return listResponse({
      resources: [],
      totalResults: await deps.userCounter.count(orgId, filter),
      startIndex,
    });
  }
  const skip = byCursor ? 0 : startIndex - 1;
  const page = { ...(filter && { filter }), sort: { field: sort.field, direction: sort.direction } };
  const { users, last } = await deps.users.page(orgId, {
    ...page,
    skip,
    limit: count,
    ...(after && { after }),
  });
  // A page that is not full is the last one. The total is then known without counting.
  const totalKnown = after === undefined && users.length < count && (users.length > 0 || skip === 0);
  const totalResults = totalKnown ? skip + users.length : await deps.userCounter.count(orgId, filter);
  const resources = users.map((user) => projection.project(renderUser(user, context.baseUrl)));
  const full = byCursor && users.length === count ? last : undefined;
  const goesOn =
    full && (await deps.users.page(orgId, { ...page, skip: 0, limit: 1, after: full })).users.length > 0;
  const nextCursor = full && goesOn ? encodeCursor(full, query) : undefined;
  return listResponse({ resources, totalResults, ...(!byCursor && { startIndex }), nextCursor });
}
