import { AppError } from '#src/platform/errors.js';

/** The error of this service that the work throws. Undefined if it throws none. Other errors are rethrown. */
export async function thrownBy(work: () => unknown): Promise<AppError | undefined> {
  try {
    await work();
    return undefined;
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
}

/** The id of the error that the work throws. Undefined if it throws none. Other errors are rethrown. */
export async function errorIdOf(work: () => unknown): Promise<string | undefined> {
  return (await thrownBy(work))?.definition.id;
}
