import { setTimeout as pause } from 'node:timers/promises';
import { AppError } from '#src/platform/errors.js';
import { directoryErrors } from './errors.js';

/** Attempts before a change fails because other callers change the same object. */
const maxAttempts = 25;
/** Longest pause between two attempts, in milliseconds. The pause is random, so that processes do not collide again. */
const maxPauseMs = 100;

/** The latest change of each object in this process. The next change of that object waits for it. */
const lines = new Map<string, Promise<unknown>>();

/**
 * Repeats an attempt until it succeeds. The attempt reads an object, computes the change, and writes it only if the
 * version is the one that it read.
 * @param attempt returns undefined if another caller changed the version
 * @param thing changes of the same thing wait for each other in this process, because only one of them could succeed
 * @throws AppError `directory.changing` after 25 attempts
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
