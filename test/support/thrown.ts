import { AppError } from '#src/platform/errors.js';

/** The id of the error that the work throws, and undefined when it throws none. Faults are thrown on. */
export async function errorIdOf(work: () => unknown): Promise<string | undefined> {
  try {
    await work();
    return undefined;
  } catch (error) {
    if (error instanceof AppError) return error.definition.id;
    throw error;
  }
}
