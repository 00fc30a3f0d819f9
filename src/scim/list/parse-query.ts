import { AppError } from '#src/platform/errors.js';
import { scimErrors } from '../protocol/errors.js';
import { compileProjection, type Projection } from '../resources/project-attributes.js';
import type { ResourceSchema } from '../schema/resource-schema.js';
import { compileListQuery, type ListParameters, type ListQuery } from './list-query.js';

/** A query string as Fastify parses it. A repeated parameter is an array. */
export type QueryString = Readonly<Record<string, unknown>>;

/**
 * Reads the query parameters of a list, such as `GET /Users` (RFC 7644 section 3.4.2). Unknown ones are ignored.
 * @throws AppError with scimType invalidValue or invalidFilter
 */
export function parseListQuery(query: QueryString, schema: ResourceSchema): ListQuery {
  return compileListQuery(listParameters(query), schema);
}

function listParameters(query: QueryString): ListParameters {
  return {
    filter: readOne(query, 'filter'),
    sortBy: readOne(query, 'sortBy'),
    sortOrder: readOne(query, 'sortOrder'),
    startIndex: readNumber(query, 'startIndex'),
    count: readNumber(query, 'count'),
    cursor: readOne(query, 'cursor'),
    attributes: readNames(query, 'attributes'),
    excludedAttributes: readNames(query, 'excludedAttributes'),
  };
}

/** Reads `attributes` and `excludedAttributes`, which every request may have (RFC 7644 section 3.9). */
export function parseProjection(query: QueryString, schema: ResourceSchema): Projection {
  return compileProjection(schema, readNames(query, 'attributes'), readNames(query, 'excludedAttributes'));
}

function readOne(query: QueryString, name: string): string | undefined {
  const value = query[name];
  if (value === undefined || typeof value === 'string') return value;
  throw new AppError(scimErrors.badValue, { detail: `${name} is given more than once` });
}

function readNumber(query: QueryString, name: string): number | undefined {
  const text = readOne(query, name)?.trim();
  if (text === undefined || text === '') return undefined;
  return /^[+-]?\d+$/.test(text) ? Number(text) : Number.NaN;
}

/** Reads attribute names from one or several comma-separated lists. */
function readNames(query: QueryString, name: string): string[] {
  const lists: unknown[] = [query[name] ?? []].flat();
  return lists
    .flatMap((list) => String(list).split(','))
    .map((item) => item.trim())
    .filter((item) => item !== '');
}
