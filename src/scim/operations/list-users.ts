import { AppError } from '#src/platform/errors.js';
import type { Shares } from '#src/platform/shares.js';
import { decodeCursor, encodeCursor } from '../list/cursor.js';
import type { ListQuery } from '../list/list-query.js';
import { type ListResponse, listResponse } from '../list/list-response.js';
import { scimErrors } from '../protocol/errors.js';
import { renderUser } from '../resources/render-user.js';
import type { ScimContext, ScimDeps } from './context.js';

export type ListUsersDeps = Pick<ScimDeps, 'users' | 'userCounter' | 'config'> & {
  /** For searches that read many users. The holders are organizations. */
  readonly scans: Shares;
};

/** The store reads all users before this index to find the page. */
const quickStart = 10_000;

/**
 * Finds users: a page by index (RFC 7644 section 3.4.2.4) or by cursor (RFC 9865). Searches that read many users share the
 * places of their organization, so that they do not take the connections of others.
 * @throws AppError `scim.badCursor`, `scim.filterTooCostly`, `scim.tooManySearches`
 */
export async function listUsers(
  deps: ListUsersDeps,
  context: ScimContext,
  query: ListQuery,
): Promise<ListResponse> {
  const orgId = context.organization.id;
  const { scanning, startIndex, count } = query;
  await requireAffordable(deps, orgId, scanning);
  const isQuick = scanning.length === 0 && (count === 0 || startIndex <= quickStart);
  return isQuick ? list(deps, context, query) : deps.scans.run(orgId, () => list(deps, context, query));
}

/** @throws AppError `scim.filterTooCostly` */
async function requireAffordable(
  { userCounter, config }: Pick<ScimDeps, 'userCounter' | 'config'>,
  orgId: string,
  scanning: readonly string[],
): Promise<void> {
  const limit = config.scimScanLimit;
  // A search that has to read every user must be possible in an organization of any size.
  if (scanning.length < 2 || limit === 0) return;
  const users = await userCounter.estimate(orgId);
  if (users * scanning.length <= limit) return;
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
