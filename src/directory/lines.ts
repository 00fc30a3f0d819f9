import { AppError } from '#src/platform/errors.js';
import { createCoolDown } from '#src/platform/work/cool-down.js';
import { createKeyedMutex } from '#src/platform/work/keyed-mutex.js';
import { restOfRequest } from '#src/platform/work/loop-scheduler.js';
import { directoryErrors } from './errors.js';

/** The kinds of objects whose changes wait for each other. A service user is a user. */
export type LineKind =
  | 'application'
  | 'application grant'
  | 'connection'
  | 'group'
  | 'instance'
  | 'job'
  | 'membership'
  | 'organization'
  | 'project'
  | 'roles of a group'
  | 'set-up link'
  | 'keys of a client'
  | 'user';

/** An object that changes, or that the transaction of a change locks: its kind, its identifier, and who changes it. */
export type Changed = readonly [kind: LineKind, id: string, editorId: string];

/** Changes of one object that may wait in a process. Each holds a request. */
const mostWaiting = 99;
/** The longest wait of a change, in milliseconds. */
const longestWaitMs = 10_000;

/** While several changes of an object wait, the next one begins after a rest, so that a flood of them leaves time for others. */
const rest = createCoolDown({ times: restOfRequest, longestMs: 100, crowd: 2 });

const lines = createKeyedMutex({
  rest,
  waiting: mostWaiting,
  longestWaitMs,
  refuse: () => new AppError(directoryErrors.changing, { retryAfterSeconds: 1 }),
});

/**
 * Runs a change of an object when no other change of the same object runs in this process. Two transactions of one object
 * conflict in MongoDB: one of them is repeated, and with 32 of them each was repeated 20 times. Changes of different objects never
 * wait for each other. The editors of an object take turns, so that a caller who floods it cannot keep an administrator from
 * deactivating it. A change does nothing that takes long, and begins no other change of the same object.
 * @throws AppError `directory.changing` if 99 changes of the object wait, or this one has waited for 10 s
 */
export function inLine<T>([kind, id, editorId]: Changed, change: () => Promise<T>): Promise<T> {
  return lines.run(`${kind} ${id}`, editorId, change);
}
