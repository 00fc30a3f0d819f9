import { groupPlanner, type ResourceQuery, userPlanner } from '#src/people/queries/index.js';
import { AppError } from '#src/platform/errors.js';
import { compileFilter } from '../filter/compile-filter.js';
import { compileSort, type Sort } from '../filter/sort.js';
import { scimErrors } from '../protocol/errors.js';
import { limits } from '../protocol/limits.js';
import { compileProjection, type Projection } from '../resources/project-attributes.js';
import type { ResourceSchema } from '../schema/resource-schema.js';

/** The query of a client for a list, compiled. */
export interface ListQuery {
  readonly filter?: ResourceQuery;
  /** The conditions of the filter for which every resource of the organization is read. */
  readonly scanning: readonly string[];
  readonly sort: Sort;
  /** 1-based index of the first resource. */
  readonly startIndex: number;
  /** The largest number of resources to return. 0 asks for the total alone. */
  readonly count: number;
  /** Where to continue. Empty asks for the first page by cursor (RFC 9865 section 2). */
  readonly cursor?: string;
  readonly projection: Projection;
}

/** The parameters of the client, from the query string or the body. */
export interface ListParameters {
  readonly filter?: string | undefined;
  readonly sortBy?: string | undefined;
  readonly sortOrder?: string | undefined;
  readonly startIndex?: number | undefined;
  readonly count?: number | undefined;
  readonly cursor?: string | undefined;
  readonly attributes?: readonly string[] | undefined;
  readonly excludedAttributes?: readonly string[] | undefined;
}

/**
 * Compiles the parameters and clamps them to their bounds (RFC 7644 section 3.4.2.4). An empty text counts as absent.
 * @throws AppError with scimType invalidValue or invalidFilter
 */
export function compileListQuery(parameters: ListParameters, schema: ResourceSchema): ListQuery {
  const {
    filter: text = '',
    sortBy,
    sortOrder,
    startIndex = 1,
    count = limits.pageSize,
    cursor,
  } = parameters;
  requireWhole(startIndex, 'startIndex');
  requireWhole(count, 'count');
  const filter = text.trim() === '' ? undefined : compileFilter(text, schema);
  const planner = schema.name === 'User' ? userPlanner : groupPlanner;
  return {
    ...(filter && { filter }),
    scanning: filter === undefined ? [] : planner.scanning(filter),
    sort: compileSort(schema, sortBy || undefined, sortOrder || undefined),
    startIndex: Math.min(Math.max(startIndex, 1), Number.MAX_SAFE_INTEGER),
    count: Math.min(Math.max(count, 0), limits.pageSize),
    ...(cursor !== undefined && { cursor }),
    projection: compileProjection(schema, parameters.attributes, parameters.excludedAttributes),
  };
}

function requireWhole(value: number, name: string): void {
  // A number with very many digits is infinite. It is clamped as other large ones are.
  if (!Number.isInteger(value) && Math.abs(value) !== Number.POSITIVE_INFINITY)
    throw new AppError(scimErrors.badCount, { detail: `${name} is not a whole number` });
}
