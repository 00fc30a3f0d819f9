import { AppError } from '#src/platform/errors.js';
import { scimErrors } from '../protocol/errors.js';
import { compileProjection, type Projection } from '../resources/project-attributes.js';
import type { ResourceSchema } from '../schema/resource-schema.js';
import { readListParameters, readNames } from './list-parameters.js';
import { compileListQuery, type ListParameters, type ListQuery } from './list-query.js';

/** A query string as Fastify parses it. A repeated parameter is an array. */
export type QueryString = Readonly<Record<string, unknown>>;

/** The parameters that may be repeated. */
const lists: ReadonlySet<keyof ListParameters> = new Set(['attributes', 'excludedAttributes']);

/**
 * Reads the query parameters of a list, such as `GET /Users` (RFC 7644 section 3.4.2). Unknown ones are ignored.
 * @throws AppError with scimType invalidValue or invalidFilter
 */
export function parseListQuery(query: QueryString, schema: ResourceSchema): ListQuery {
  const parameters = readListParameters((name) => {
    if (Array.isArray(query[name]) && !lists.has(name))
      throw new AppError(scimErrors.badValue, { detail: `${name} is given more than once` });
    return query[name];
  });
  return compileListQuery(parameters, schema);
}

/** Reads `attributes` and `excludedAttributes`, which every request may have (RFC 7644 section 3.9). */
export function parseProjection(query: QueryString, schema: ResourceSchema): Projection {
  const names = (name: string) => readNames(name, query[name]);
  return compileProjection(schema, names('attributes'), names('excludedAttributes'));
}
