import { directoryErrors } from '#src/directory/index.js';
import { AppError } from '#src/platform/errors.js';

/** Whether a removal was refused because the person needs the factor to sign in. */
export function isLastFactor(error: unknown): boolean {
  return error instanceof AppError && error.definition === directoryErrors.lastDemandedFactor;
}
