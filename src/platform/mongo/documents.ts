import type {
  ClientSession,
  Collection,
  Filter,
  OptionalUnlessRequiredId,
  UpdateFilter,
  WithId,
} from 'mongodb';

/** Documents that match, in the order of their identifiers, after the given identifier. */
export function pageById<T extends { _id: string }>(
  collection: Collection<T>,
  filter: Filter<T>,
  { after, limit }: { after?: string | undefined; limit: number },
): Promise<WithId<T>[]> {
  const page = { ...filter, ...(after !== undefined && { _id: { $gt: after } }) } as Filter<T>;
  return collection.find(page).sort({ _id: 1 }).limit(limit).toArray();
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
