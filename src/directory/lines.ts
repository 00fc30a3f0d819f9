import { AppError } from '#src/platform/errors.js';
import { createShares } from '#src/platform/shares.js';
import { directoryErrors } from './errors.js';

/** The kinds of objects whose changes wait for each other. A service user is a user. */
export type LineKind =
  | 'application'
  | 'application grant'
  | 'group'
  | 'instance'
  | 'job'
  | 'membership'
  | 'organization'
  | 'project'
  | 'user';

/** An object that changes, or that the transaction of a change locks: its kind and its identifier. */
export type Changed = readonly [kind: LineKind, id: string];

/** Changes of one object that may wait in a process. Each holds a request. */
const mostWaiting = 99;
/** The longest wait of a change, in milliseconds. */
const longestWaitMs = 10_000;

const lines = createShares({
  atOnce: 1,
  waiting: mostWaiting,
  longestWaitMs,
  refuse: () => new AppError(directoryErrors.changing, { retryAfterSeconds: 1 }),
});

/**
 * Runs a change of an object when no other change of the same object runs in this process. Two transactions of one object
 * conflict in MongoDB: one of them is repeated, and with 32 of them each was repeated 20 times. Changes of different objects never
 * wait for each other. A change must not begin another one of the same object.
 * @throws AppError `directory.changing` if 99 changes of the object wait, or this one has waited for 10 s
 */
export function inLine<T>([kind, id]: Changed, change: () => Promise<T>): Promise<T> {
  return lines.run(`${kind} ${id}`, change);
}
