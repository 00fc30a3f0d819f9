import { directoryErrors } from '#src/directory/index.js';
import type { NamePlace } from '#src/organizations/index.js';
import { AppError } from '#src/platform/errors.js';

/** Returns the cursor of a list in the order of names. */
export function nameCursor({ nameKey, id }: NamePlace): string {
  return Buffer.from(JSON.stringify([nameKey, id])).toString('base64url');
}

/** @throws AppError `directory.valueInvalid` for a text that {@link nameCursor} did not make */
export function readNameCursor(text: string): NamePlace {
  try {
    const [nameKey, id] = JSON.parse(Buffer.from(text, 'base64url').toString());
    if (typeof nameKey === 'string' && typeof id === 'string') return { nameKey, id };
  } catch {
    // Answered below.
  }
  throw new AppError(directoryErrors.valueInvalid, {
    detail: 'after is not the next of a list of this kind',
  });
}
