import { MongoServerError } from 'mongodb';

/** Whether a write failed because a unique index has the value. */
export function isDuplicateKey(error: unknown): boolean {
  return error instanceof MongoServerError && error.code === 11000;
}

/**
 * Runs an upsert outside of a transaction, and once more if another one added the same document meanwhile. MongoDB does this by itself only
 * where the filter has exactly the fields of the unique index.
 * @param write may be done twice
 */
export async function upserted<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
    return write();
  }
}
