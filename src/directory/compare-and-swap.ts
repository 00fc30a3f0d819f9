import { setTimeout as pause } from 'node:timers/promises';
import { AppError } from '#src/platform/errors.js';
import { directoryErrors } from './errors.js';

/** Times a change is computed again because somebody else changed the same thing in between. */
const maxAttempts = 25;
/** Longest pause between two attempts, in milliseconds; the pause is random, so that processes get out of step. */
const maxPauseMs = 100;

/** What runs last for each thing in this process. */
const lines = new Map<string, Promise<unknown>>();

/**
 * Repeats an attempt that reads, computes and writes where the version is still the one it read, until it did.
 * @param attempt answers undefined when the version had moved
 * @param thing changes of the same thing queue up in this process, since only one of them could win anyway
 * @throws AppError `directory.changing`
 */
export async function compareAndSwap<T extends {}>(
  attempt: () => Promise<T | undefined>,
  thing?: string,
): Promise<T> {
  if (thing === undefined) return repeat(attempt);
  const before = lines.get(thing);
  const mine = (async () => {
    await before?.catch(() => undefined);
    return repeat(attempt);
  })();
  lines.set(thing, mine);
  try {
    return await mine;
  } finally {
    if (lines.get(thing) === mine) lines.delete(thing);
  }
}

async function repeat<T extends {}>(attempt: () => Promise<T | undefined>): Promise<T> {
  for (let tried = 1; ; tried++) {
    const done = await attempt();
    if (done !== undefined) return done;
    if (tried === maxAttempts) throw new AppError(directoryErrors.changing, { retryAfterSeconds: 1 });
    await pause(Math.random() * Math.min(2 ** tried, maxPauseMs));
  }
}
