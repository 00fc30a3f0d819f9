import { AppError } from '#src/platform/errors.js';
import type { ListClient } from '../list/list-permits.js';
import type { ListQuery } from '../list/list-query.js';
import { indexPageBytes, PageBody } from '../list/page-body.js';
import { parseSearchRequest } from '../list/parse-search-request.js';
import { scimErrors } from '../protocol/errors.js';
import type { JsonBody } from '../resources/long-list.js';
import { groupSchema } from '../schema/group-attributes.js';
import type { ResourceSchema } from '../schema/resource-schema.js';
import type { ScimContext } from './context.js';
import { groupSource, takeGroups } from './list-groups.js';
import { listResources } from './list-resources.js';
import { type ListUsersDeps, takeUsers, userSource } from './list-users.js';

/**
 * Finds users and groups at once (RFC 7644 section 3.4.3): first all matching users, then all matching groups, each in the wanted
 * order. A type that lacks an attribute of the filter has no match. Pages are by index alone.
 * @throws AppError as `listResources`; `scim.badCursor` for a cursor, `scim.pageTooLarge`
 */
export async function searchAll(
  deps: ListUsersDeps,
  context: ScimContext,
  { body: request, client }: { body: unknown; client: ListClient },
): Promise<JsonBody> {
  const orgId = context.organization.id;
  const { users: ofUsers, groups: ofGroups } = queriesOf(request, context.userSchema);
  const { startIndex, count } = (ofUsers ?? ofGroups) as ListQuery;
  const work = deps.permits.open({ orgId, noun: 'user', count, most: indexPageBytes, client });
  try {
    const body = new PageBody({ byCursor: false });
    const users = ofUsers
      ? await listResources(deps, userSource(deps, orgId), {
          ...{ orgId, query: ofUsers, work },
          take: takeUsers(deps, context, { body, work, projection: ofUsers.projection }),
        })
      : { taken: 0, totalResults: 0 };
    const query = ofGroups && {
      ...ofGroups,
      startIndex: Math.max(1, startIndex - users.totalResults),
      count: count - users.taken,
    };
    const groups = query
      ? await listResources(deps, groupSource(deps, orgId), {
          ...{ orgId, query, work },
          take: takeGroups(deps, context, { body, work, query }),
        })
      : { totalResults: 0 };
    await work.endReading(body);
    return body.finish({ totalResults: users.totalResults + groups.totalResults, startIndex });
  } catch (error) {
    work.release();
    throw error;
  }
}

/** The query for each type. Absent if the filter names an attribute that the type lacks. At least one is there. */
function queriesOf(body: unknown, userSchema: ResourceSchema): { users?: ListQuery; groups?: ListQuery } {
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
    const query = parseSearchRequest(body, schema);
    if (query.cursor === undefined) return query;
  } catch (error) {
    const isForOther = [scimErrors.filterUnsupported, scimErrors.badSort].some(
      (definition) => error instanceof AppError && error.definition === definition,
    );
    if (isForOther) return error as AppError;
    throw error;
  }
  throw new AppError(scimErrors.badCursor, {
    detail: 'A search over all resources pages by startIndex alone',
  });
}
