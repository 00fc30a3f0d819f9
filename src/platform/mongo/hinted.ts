import { MongoServerError } from 'mongodb';

/** The index that serves reads in the order of identifiers, as MongoDB names it. Many collections declare it. */
export const byId = 'orgId_1__id_1';

/**
 * Runs a read with a hint, which is the name of an index. If MongoDB knows no such index, the read runs once more without
 * the hint: it is slower then, but does not fail while an index is built or rebuilt.
 */
export async function hinted<T>(
  hint: string,
  read: (options: { readonly hint?: string }) => Promise<T>,
): Promise<T> {
  try {
    return await read({ hint });
  } catch (error) {
    if (!isUnknownHint(error)) throw error;
    return read({});
  }
}

function isUnknownHint(error: unknown): boolean {
  const badValue = 2;
  return error instanceof MongoServerError && error.code === badValue && /hint/i.test(error.message);
}
