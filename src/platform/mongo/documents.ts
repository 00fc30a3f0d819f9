import type {
  ClientSession,
  Collection,
  Filter,
  FindCursor,
  OptionalUnlessRequiredId,
  UpdateFilter,
  WithId,
} from 'mongodb';
import { pacedBy, readPaced, readPortions } from './paced-reads.js';

interface PageById {
  /** Absent for the first page. */
  readonly after?: string | undefined;
  readonly limit: number;
}

/** Documents that match, in the order of their identifiers, after the given identifier. */
export function pageById<T extends { _id: string }>(
  collection: Collection<T>,
  filter: Filter<T>,
  page: PageById,
): Promise<WithId<T>[]> {
  const { open, pace } = readById(collection, filter, page);
  return readPaced(open, pace);
}

/** {@link pageById} in portions, for documents that may be large. If the reader stops early, the rest is not parsed. */
export function portionsById<T extends { _id: string }>(
  collection: Collection<T>,
  filter: Filter<T>,
  page: PageById,
): AsyncGenerator<WithId<T>[]> {
  const { open, pace } = readById(collection, filter, page);
  return readPortions(open, pace);
}

function readById<T extends { _id: string }>(
  collection: Collection<T>,
  filter: Filter<T>,
  { after, limit }: PageById,
) {
  const page = { ...filter, ...(after !== undefined && { _id: { $gt: after } }) } as Filter<T>;
  const { orgId } = filter as { orgId?: unknown };
  return {
    open: (options: { readonly raw: true }): FindCursor<WithId<T>> =>
      collection.find(page, options).sort({ _id: 1 }).limit(limit),
    pace: pacedBy(typeof orgId === 'string' ? orgId : undefined),
  };
}

/** A condition on an identifier of ASCII characters that begins with this text. */
export function withPrefix(prefix: string): { $gte: string; $lt: string } {
  return { $gte: prefix, $lt: `${prefix}\uffff` };
}

/** Inserts documents in a transaction; none at all is no command. @throws the engine's duplicate-key error */
export async function insertAll<T extends { _id: string }>(
  collection: Collection<T>,
  documents: readonly OptionalUnlessRequiredId<T>[],
  session: ClientSession,
): Promise<void> {
  if (documents.length > 0) await collection.insertMany([...documents], { session });
}

/**
 * Holds a document until the transaction ends. Locking is a write: of two transactions, one of which removes the
 * document, the engine repeats one.
 * @returns whether the document is there
 */
export async function lockDocument<T extends { _id: string }>(
  collection: Collection<T>,
  filter: Filter<T>,
  session: ClientSession,
): Promise<boolean> {
  const lock = { $inc: { locked: 1 } } as unknown as UpdateFilter<T>;
  return (await collection.updateOne(filter, lock, { session })).matchedCount === 1;
}
