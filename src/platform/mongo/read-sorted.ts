import type { Collection, Document, Filter, WithId } from 'mongodb';
import { hinted } from './hinted.js';

/** The order of a list. The identifier breaks ties, in the same direction. */
export interface SortOrder {
  readonly field: string;
  readonly direction: 1 | -1;
}

/** A position in a sorted list: the sort value (null if absent) and the identifier. */
export interface SortPosition {
  readonly value: string | Date | null;
  readonly id: string;
}

/** A part of a sorted list. */
export interface SortedQuery {
  readonly sort: SortOrder;
  readonly skip?: number;
  readonly limit: number;
  /** Continue after this position instead of skipping documents. */
  readonly after?: SortPosition | undefined;
  /** The name of an index `(orgId, field, _id)` that has every document of the organization. */
  readonly index?: string | undefined;
  /** The field has no ties, and its index lacks the identifier. */
  readonly isUnique?: boolean;
  readonly projection?: Document;
}

/**
 * Reads documents of an organization in the order of an index. Continued after a position, it reads only the keys behind it, so that
 * a page costs the same at any depth. It reads the rest of the ties first, and then the other values: one query, or two where
 * values change, and one more where those without a value begin.
 */
export async function readSorted<T extends Document & { _id: string }>(
  collection: Collection<T>,
  { orgId, filter }: { orgId: string; filter?: Document | undefined },
  { sort, skip = 0, limit, after, index, isUnique = false, projection }: SortedQuery,
): Promise<WithId<T>[]> {
  const { field, direction } = sort;
  const order = isUnique || field === '_id' ? { [field]: direction } : { [field]: direction, _id: direction };
  const found: WithId<T>[] = [];
  for (const range of after === undefined ? [{}] : rangesAfter(sort, after, isUnique)) {
    const where = { orgId, ...range, ...(filter && { $and: [filter] }) } as unknown as Filter<T>;
    const left = limit - found.length;
    const read = (options: { readonly hint?: string }) =>
      collection
        .find(where, { ...(projection && { projection }), ...options })
        .sort(order)
        .skip(skip)
        .limit(left)
        .batchSize(left + 1)
        .toArray();
    found.push(...(await (index === undefined ? read({}) : hinted(index, read))));
    if (found.length >= limit) break;
  }
  return found;
}

/**
 * Returns the ranges of the index behind a position, in the order of the list. Absent values come before all others, as in
 * MongoDB, so that they are last in descending order. No condition spans them and other values as one range.
 */
export function rangesAfter(
  { field, direction }: SortOrder,
  { value, id }: SortPosition,
  isUnique = false,
): Document[] {
  const beyond = direction === 1 ? '$gt' : '$lt';
  if (field === '_id') return [{ _id: { [beyond]: id } }];
  const ties = isUnique ? [] : [{ [field]: value, _id: { [beyond]: id } }];
  const absent = isUnique || direction === 1 ? [] : [{ [field]: null }];
  // Each string is at least the empty one. Dates are never absent.
  if (value === null) return direction === 1 ? [...ties, { [field]: { $gte: '' } }] : ties;
  return [...ties, { [field]: { [beyond]: value } }, ...absent];
}
