import { setTimeout as pause } from 'node:timers/promises';
import { AppError } from '#src/platform/errors.js';
import { directoryErrors } from './errors.js';
import { type Changed, inLine } from './lines.js';

/** Attempts before a change fails because other processes change the same object. */
const maxAttempts = 25;
/** The bounds of the pause before the second attempt, and before the last ones, in milliseconds. */
const [firstPauseMs, longestPauseMs] = [10, 200];

/**
 * Repeats an attempt until it succeeds. The attempt reads an object, computes the change, and writes it only if the
 * version is the one that it read. Changes of the same object wait for each other in this process ({@link inLine}), so that an attempt
 * fails only because of another process. The pause before the next attempt is random, so that processes do not collide again.
 * @param attempt returns undefined if another caller changed the version
 * @throws AppError `directory.changing` after 25 attempts, and if too many changes of the object wait
 */
export function compareAndSwap<T extends {}>(
  changed: Changed,
  attempt: () => Promise<T | undefined>,
): Promise<T> {
  return inLine(changed, () => repeat(attempt));
}

async function repeat<T extends {}>(attempt: () => Promise<T | undefined>): Promise<T> {
  for (let tried = 1; ; tried++) {
    const done = await attempt();
    if (done !== undefined) return done;
    if (tried === maxAttempts) throw new AppError(directoryErrors.changing, { retryAfterSeconds: 1 });
    await pause(Math.random() * Math.min(firstPauseMs * 2 ** (tried - 1), longestPauseMs));
  }
}
