import { directoryErrors } from '#src/directory/index.js';
import { AppError } from '#src/platform/errors.js';

/** Whether a removal was refused because the person needs the factor to sign in, or the organization needs an owner who can. */
export function isLastFactor(error: unknown): boolean {
  const { lastDemandedFactor, lastAbleOwner } = directoryErrors;
  return (
    error instanceof AppError &&
    (error.definition === lastDemandedFactor || error.definition === lastAbleOwner)
  );
}
