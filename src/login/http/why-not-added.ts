import { directoryErrors } from '#src/directory/index.js';
import { AppError } from '#src/platform/errors.js';

/** Returns why a passkey cannot be kept, as the name of a text. Throws other errors. */
export function whyNotAdded(error: unknown): 'taken' | 'full' {
  const id = error instanceof AppError ? error.definition.id : undefined;
  if (id === directoryErrors.passkeyTaken.id) return 'taken';
  if (id === directoryErrors.tooManyPasskeys.id) return 'full';
  throw error;
}
