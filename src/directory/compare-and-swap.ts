import { AppError } from '#src/platform/errors.js';
import { directoryErrors } from './errors.js';

/** Times a change is computed again because somebody else changed the same thing in between. */
const maxAttempts = 8;

/**
 * Repeats an attempt that reads, computes and writes where the version is still the one it read, until it did.
 * @param attempt answers undefined when the version had moved
 * @throws AppError `directory.changing`
 */
export async function compareAndSwap<T extends {}>(attempt: () => Promise<T | undefined>): Promise<T> {
  for (let tried = 0; tried < maxAttempts; tried++) {
    const done = await attempt();
    if (done !== undefined) return done;
  }
  throw new AppError(directoryErrors.changing, { retryAfterSeconds: 1 });
}
