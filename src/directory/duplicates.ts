import { AppError, type ErrorDefinition } from '#src/platform/errors.js';
import { isDuplicateKey } from '#src/platform/mongo/duplicate-key.js';

/** For the `catch` of a write. Turns a duplicate key into this conflict, and throws every other error unchanged. */
export function orConflict(conflict: ErrorDefinition): (error: unknown) => never {
  return (error) => {
    throw isDuplicateKey(error) ? new AppError(conflict) : error;
  };
}

/**
 * For the `catch` of an attempt of `compareAndSwap`. Two callers added the same object at the same time, so the second
 * caller computes its change again. Throws every other error unchanged.
 */
export function orTryAgain(error: unknown): undefined {
  if (isDuplicateKey(error)) return undefined;
  throw error;
}
