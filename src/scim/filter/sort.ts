import { AppError } from '#src/platform/errors.js';
import { scimErrors } from '../protocol/errors.js';
import type { ResourceSchema } from '../schema/resource-schema.js';
import type { StoredField } from '../schema/search-rule.js';

export interface Sort {
  readonly field: StoredField;
  readonly direction: 1 | -1;
}

/**
 * The stored field and the direction to sort by (RFC 7644 section 3.4.2.3). Without `sortBy` resources are sorted by id. A
 * multi-valued attribute is sorted by its primary value.
 * @throws AppError `scim.badSort`
 */
export function compileSort(schema: ResourceSchema, sortBy?: string, sortOrder?: string): Sort {
  const direction = compileDirection(sortOrder);
  if (sortBy === undefined) return { field: '_id', direction: 1 };
  const path = schema.find(sortBy);
  const field = (path?.sub ?? path?.attribute)?.search?.sortField;
  if (field === undefined) throw new AppError(scimErrors.badSort, { detail: `Cannot sort by ${sortBy}` });
  return { field, direction };
}

function compileDirection(sortOrder = 'ascending'): 1 | -1 {
  const word = sortOrder.toLowerCase();
  if (word === 'ascending') return 1;
  if (word === 'descending') return -1;
  throw new AppError(scimErrors.badSort, { detail: 'sortOrder is ascending or descending' });
}
