import { AppError } from '#src/platform/errors.js';

/** The id of the error that the work throws. Undefined if it throws none. Other errors are rethrown. */
export async function errorIdOf(work: () => unknown): Promise<string | undefined> {
  try {
    await work();
    return undefined;
  } catch (error) {
    if (error instanceof AppError) return error.definition.id;
    throw error;
  }
}
