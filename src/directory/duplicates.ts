import { AppError, type ErrorDefinition } from '#src/platform/errors.js';
import { isDuplicateKey } from '#src/platform/mongo/mongo.js';

/** For `catch` of a write: a duplicate key is this conflict; every other error is thrown as it is. */
export function orConflict(conflict: ErrorDefinition): (error: unknown) => never {
  return (error) => {
    throw isDuplicateKey(error) ? new AppError(conflict) : error;
  };
}

/**
 * For `catch` of an attempt of `compareAndSwap`: two callers added the same object at the same time, so the second one
 * computes its change again.
 */
export function orTryAgain(error: unknown): undefined {
  if (isDuplicateKey(error)) return undefined;
  throw error;
}
