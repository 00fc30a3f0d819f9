import { AppError } from '#src/platform/errors.js';
import type { ListQuery } from '../list/list-query.js';
import { parseSearchRequest } from '../list/parse-search-request.js';
import { scimErrors } from '../protocol/errors.js';
import type { JsonBody } from '../resources/group-json.js';
import { groupSchema } from '../schema/group-attributes.js';
import type { ResourceSchema } from '../schema/resource-schema.js';
import type { ScimContext } from './context.js';
import { listJson, pageOfGroups } from './list-groups.js';
import { listResources } from './list-resources.js';
import { type ListUsersDeps, renderUsers, userSource } from './list-users.js';

/**
 * Finds users and groups at once (RFC 7644 section 3.4.3): first all matching users, then all matching groups, each in the wanted
 * order. A type that lacks an attribute of the filter has no match. Pages are by index alone.
 * @throws AppError as `listResources`; `scim.badCursor` for a cursor
 */
export async function searchAll(deps: ListUsersDeps, context: ScimContext, body: unknown): Promise<JsonBody> {
  const orgId = context.organization.id;
  const { users: ofUsers, groups: ofGroups } = queriesOf(body, context.userSchema);
  const { startIndex, count } = (ofUsers ?? ofGroups) as ListQuery;
  const users = ofUsers
    ? await listResources(deps, userSource(deps, orgId), { orgId, query: ofUsers })
    : { found: [], totalResults: 0 };
  const groups = ofGroups
    ? await pageOfGroups(deps, context, {
        ...ofGroups,
        startIndex: Math.max(1, startIndex - users.totalResults),
        count: count - users.found.length,
      })
    : { bodies: [], totalResults: 0 };
  const bodies = [
    ...(ofUsers
      ? (await renderUsers(deps, context, { users: users.found, ...ofUsers })).map((user) =>
          JSON.stringify(user),
        )
      : []),
    ...groups.bodies,
  ];
  return listJson(bodies, { totalResults: users.totalResults + groups.totalResults, startIndex });
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
