import { membersOf, requireJsonObject, requireMessageSchema } from '../protocol/json.js';
import { urns } from '../protocol/urns.js';
import type { ResourceSchema } from '../schema/resource-schema.js';
import { readListParameters } from './list-parameters.js';
import { compileListQuery, type ListQuery } from './list-query.js';

/**
 * Reads the body of `POST /Users/.search` (RFC 7644 section 3.4.3). It has the parameters of a list as JSON values, or as the texts of a
 * query string.
 * @throws AppError with scimType invalidSyntax, invalidValue or invalidFilter
 */
export function parseSearchRequest(body: unknown, schema: ResourceSchema): ListQuery {
  const members = membersOf(requireJsonObject(body, 'The search request'));
  requireMessageSchema(members, urns.searchRequest);
  return compileListQuery(
    readListParameters((name) => members.get(name.toLowerCase())),
    schema,
  );
}
