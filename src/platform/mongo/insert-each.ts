import {
  type Collection,
  MongoBulkWriteError,
  MongoServerError,
  type OptionalUnlessRequiredId,
} from 'mongodb';

/**
 * Inserts documents by one command, each whether or not the others can be.
 * @returns the errors of those that could not be, by their place; what fails them all is thrown
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
