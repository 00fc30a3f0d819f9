import type { Collection, Document, Filter, WithId } from 'mongodb';
import { hinted } from './hinted.js';
import { pacedBy, type ReadPace, readPortions } from './paced-reads.js';

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
interface SortedQuery {
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

/** {@link readSortedPortions}, all of them. */
export async function readSorted<T extends Document & { _id: string }>(
  collection: Collection<T>,
  of: { orgId: string; filter?: Document | undefined },
  query: SortedQuery,
): Promise<WithId<T>[]> {
  const found: WithId<T>[] = [];
  for await (const portion of readSortedPortions(collection, of, query, pacedBy(of.orgId)))
    for (const document of portion) found.push(document);
  return found;
}

/**
 * Reads documents of an organization in the order of an index. Continued after a position, it reads only the keys behind it, so that
 * a page costs the same at any depth. A page takes one to three queries: the rest of equal values, then greater values, then documents
 * without the field.
 */
export async function* readSortedPortions<T extends Document & { _id: string }>(
  collection: Collection<T>,
  { orgId, filter }: { orgId: string; filter?: Document | undefined },
  { sort, skip = 0, limit, after, index, isUnique = false, projection }: SortedQuery,
  pace: ReadPace,
): AsyncGenerator<WithId<T>[]> {
  const { field, direction } = sort;
  const order = isUnique || field === '_id' ? { [field]: direction } : { [field]: direction, _id: direction };
  let left = limit;
  for (const range of after === undefined ? [{}] : rangesAfter(sort, after, isUnique)) {
    const where = { orgId, ...range, ...(filter && { $and: [filter] }) } as unknown as Filter<T>;
    const begin = async (options: { readonly hint?: string; readonly raw: true }) => {
      const cursor = collection
        .find(where, { ...(projection && { projection }), ...options })
        .sort(order)
        .skip(skip)
        .limit(left)
        // With more than the limit, MongoDB keeps no cursor.
        .batchSize(Math.min(left + 1, pace.batchSize(left + 1)));
      // The first batch tells whether MongoDB knows the index.
      await cursor.hasNext();
      return cursor;
    };
    const open = (raw: { readonly raw: true }) =>
      index === undefined ? begin(raw) : hinted(index, (hint) => begin({ ...hint, ...raw }));
    for await (const portion of readPortions(open, pace)) {
      left -= portion.length;
      yield portion;
    }
    if (left <= 0) break;
  }
}

/**
 * Returns the ranges of the index behind a position, in the order of the list. Absent values come before all others, as in
 * MongoDB, so that they are last in descending order. No condition spans them and other values as one range.
 */
function rangesAfter(
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
