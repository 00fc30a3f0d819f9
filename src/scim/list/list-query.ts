import { AppError } from '#src/platform/errors.js';
import { compileFilter } from '../filter/compile-filter.js';
import { compileSort, type Sort } from '../filter/sort.js';
import type { FilterQuery } from '../filter/text-query.js';
import { scimErrors } from '../protocol/errors.js';
import { compileProjection, type Projection } from '../resources/project-attributes.js';
import { limits } from '../schema/service-provider-config.js';

/** What a client asks of a list of users, ready to be run. */
export interface ListQuery {
  readonly filter?: FilterQuery;
  readonly sort: Sort;
  /** 1-based index of the first resource. */
  readonly startIndex: number;
  /** Most resources to return; 0 asks for the total alone. */
  readonly count: number;
  /** Where to continue; empty asks for the first page by cursor (RFC 9865 section 2). */
  readonly cursor?: string;
  readonly projection: Projection;
}

/** The parameters as the client gave them, in the query string or in a body. */
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
 * Compiles the parameters and brings them into their bounds (RFC 7644 section 3.4.2.4). Empty texts are absent.
 * @throws AppError with scimType invalidValue or invalidFilter
 */
export function compileListQuery(parameters: ListParameters): ListQuery {
  const { filter = '', sortBy, sortOrder, startIndex = 1, count = limits.pageSize, cursor } = parameters;
  requireWhole(startIndex, 'startIndex');
  requireWhole(count, 'count');
  if (count > limits.pageSize) throw new AppError(scimErrors.countTooLarge);
  return {
    ...(filter.trim() !== '' && { filter: compileFilter(filter) }),
    sort: compileSort(sortBy || undefined, sortOrder || undefined),
    startIndex: Math.max(startIndex, 1),
    count: Math.max(count, 0),
    ...(cursor !== undefined && { cursor }),
    projection: compileProjection(parameters.attributes, parameters.excludedAttributes),
  };
}

function requireWhole(value: number, name: string): void {
  if (!Number.isSafeInteger(value))
    throw new AppError(scimErrors.badCount, { detail: `${name} is not a whole number` });
}
