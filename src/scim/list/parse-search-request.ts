import { AppError } from '#src/platform/errors.js';
import { scimErrors } from '../protocol/errors.js';
import { membersOf, requireJsonObject, requireSchema } from '../protocol/json.js';
import { urns } from '../protocol/urns.js';
import type { ResourceSchema } from '../schema/resource-schema.js';
import { compileListQuery, type ListQuery } from './list-query.js';

/**
 * Reads the body of `POST /Users/.search` (RFC 7644 section 3.4.3). It has the parameters of a list as typed JSON values.
 * @throws AppError with scimType invalidSyntax, invalidValue or invalidFilter
 */
export function parseSearchRequest(body: unknown, schema: ResourceSchema): ListQuery {
  const members = membersOf(requireJsonObject(body, 'The search request'));
  requireSchema(members, urns.searchRequest);
  const read = <T>(name: string, isRight: (value: unknown) => value is T): T | undefined => {
    const value = members.get(name.toLowerCase());
    if (value === undefined || value === null) return undefined;
    if (isRight(value)) return value;
    throw new AppError(scimErrors.wrongType, { detail: `${name} has the wrong JSON type` });
  };
  return compileListQuery(
    {
      filter: read('filter', isString),
      sortBy: read('sortBy', isString),
      sortOrder: read('sortOrder', isString),
      startIndex: read('startIndex', isNumber),
      count: read('count', isNumber),
      cursor: read('cursor', isString),
      attributes: read('attributes', isStrings),
      excludedAttributes: read('excludedAttributes', isStrings),
    },
    schema,
  );
}

function isString(value: unknown): value is string {
  return typeof value === 'string';
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number';
}

function isStrings(value: unknown): value is string[] {
  return Array.isArray(value) && value.every(isString);
}
