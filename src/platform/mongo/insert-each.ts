import {
  type Collection,
  MongoBulkWriteError,
  MongoServerError,
  type OptionalUnlessRequiredId,
} from 'mongodb';

/**
 * Inserts documents by one command. A document that fails does not stop the others.
 * @returns the errors of the failed documents, by position
 * @throws the error that fails all of them
 */
export async function insertEach<T extends { _id: string }>(
  collection: Collection<T>,
  documents: readonly OptionalUnlessRequiredId<T>[],
): Promise<ReadonlyMap<number, MongoServerError>> {
  try {
    await collection.insertMany([...documents], { ordered: false });
    return new Map();
  } catch (error) {
    const failed = error instanceof MongoBulkWriteError ? [error.writeErrors].flat() : [];
    if (failed.length === 0) throw error;
    return new Map(
      failed.map(({ index, code, errmsg }) => [index, new MongoServerError({ code, message: errmsg ?? '' })]),
    );
  }
}
