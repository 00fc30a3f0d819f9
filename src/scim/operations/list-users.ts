import { AppError } from '#src/platform/errors.js';
import { decodeCursor, encodeCursor } from '../list/cursor.js';
import type { ListQuery } from '../list/list-query.js';
import { type ListResponse, listResponse } from '../list/list-response.js';
import { scimErrors } from '../protocol/errors.js';
import { renderUser } from '../resources/render-user.js';
import type { ScimContext, ScimDeps } from './context.js';

/** Finds users: a page by index (RFC 7644 section 3.4.2.4) or by cursor (RFC 9865). */
export async function listUsers(
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
