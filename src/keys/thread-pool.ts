import { AppError } from '#src/platform/errors.js';
import { createCoolDown, type EndedWork } from '#src/platform/work/cool-down.js';
import { createFairLanes, createSlots, type LaneLimits } from '#src/platform/work/fair-lanes.js';
import { keyErrors } from './errors.js';

/**
 * What the threads of Node.js do (libuv, `UV_THREADPOOL_SIZE`).
 * - `sign-in hash`, `hash`: a password hash, of a sign-in for which a person waits, or another one.
 * - `slow sign-in hash`, `slow hash`: a comparison with an imported hash of unusual cost, which may take seconds.
 * - `key pair`: an RSA key pair for a client, 0.05 to 1 s.
 * - `signing key`: a key pair with which this service signs.
 * - `compression`: a piece of a long response. Whoever asks for many long responses gets one thread for all of them.
 * - `picture`: an uploaded logo is decoded and made anew, some 0.01 to 5 s. One at a time, and few wait.
 * - `short`: a signature, a key pair on a curve, or the compression of a short response.
 */
export type ThreadWork =
  | 'sign-in hash'
  | 'hash'
  | 'slow sign-in hash'
  | 'slow hash'
  | 'key pair'
  | 'signing key'
  | 'compression'
  | 'picture'
  | 'short';

/**
 * The one fair queue for everything that keeps the threads of Node.js busy. At least one thread is free of long work, so that a signature
 * never waits for a hash or a key pair. The kinds of work take turns, and so do the organizations within each kind.
 */
export interface ThreadPool {
  /**
   * Runs the work when it is its turn. If a place is free, the work begins before this returns.
   * @param holder the organization for which the work is done. Undefined if none is known
   * @throws AppError `keys.hashPoolSaturated` for hashes, `keys.keyPairsSaturated` for key pairs, else `keys.threadsSaturated`
   */
  run<T>(kind: ThreadWork, holder: string | undefined, work: () => Promise<T>): Promise<T>;
  /** The amount of work of a holder that waits. */
  waiting(kind: ThreadWork, holder: string | undefined): number;
  /** Running and waiting work of these kinds. */
  load(kinds: readonly ThreadWork[]): { running: number; waiting: number };
}

export interface ThreadLimits {
  /** The threads of the process: `UV_THREADPOOL_SIZE`. */
  readonly threads: number;
  /** Hashes that are computed at once. */
  readonly concurrency: number;
  /** Slots that only sign-ins use. At least one slot remains for other hashes. */
  readonly reserved: number;
  /** Sign-ins that may wait for a hash. The same number of other hashes may wait. */
  readonly queue: number;
  /** How long a slot rests after a hash that is of no sign-in, if at all. */
  readonly rest?: ((ended: EndedWork) => Promise<unknown> | undefined) | undefined;
  /** Called with the time that each hash waited, in seconds. */
  readonly waited?: ((seconds: number) => void) | undefined;
  /** Called for each refused work. */
  readonly refused?: ((what: 'hash' | 'key-pair' | 'thread') => void) | undefined;
}

/** Key pairs that may wait in a process, and those of one organization. An organization may ask for as many as a client has keys. */
const waitingPairs = { all: 20, holder: 10 };
/** Uploaded pictures that may wait in a process, and those of one organization. Each has up to 1 MiB. */
const waitingPictures = { all: 10, holder: 2 };
/** After a key pair none is made for three times as long, so that they take at most a quarter of one core. */
const restOfPairs = createCoolDown({ times: 3, longestMs: 3_000, crowd: 0 });
/** Short work, or pieces of responses, that may wait. A poll for security events signs 100 tokens. */
const waitingShort = 10_000;

export function createThreadPool(limits: ThreadLimits): ThreadPool {
  const { threads, queue, refused } = limits;
  const longest = Math.max(1, threads - 1);
  const hashesAtOnce = Math.min(limits.concurrency, longest);
  const heavyAtOnce = Math.max(1, Math.min(Math.floor(limits.concurrency / 2), longest - 2));
  const long = createSlots(longest);
  const hashes = createSlots(hashesAtOnce);
  // Work that takes long has slots of its own, so that it never holds those of the other hashes.
  const heavy = createSlots(heavyAtOnce);

  const refuseHash = () => {
    refused?.('hash');
    const detail = `More than ${queue} passwords wait to be hashed in this process; try again shortly`;
    return new AppError(keyErrors.hashPoolSaturated, { detail, retryAfterSeconds: 1 });
  };
  const refusePair = () => {
    refused?.('key-pair');
    const { all, holder } = waitingPairs;
    const detail = `More than ${holder} key pairs of the organization wait in this process, or more than ${all} of all organizations`;
    return new AppError(keyErrors.keyPairsSaturated, { detail, retryAfterSeconds: 5 });
  };
  const refuseOther = () => {
    refused?.('thread');
    return new AppError(keyErrors.threadsSaturated, { retryAfterSeconds: 1 });
  };
  const ofHashes = { waiting: queue, refuse: refuseHash, waited: limits.waited };
  const usual = { ...ofHashes, slots: [long, hashes] };
  const slow = { ...ofHashes, slots: [long, heavy], atOnce: heavyAtOnce };
  const all: Readonly<Record<ThreadWork, LaneLimits>> = {
    'sign-in hash': { ...usual, atOnce: hashesAtOnce },
    hash: { ...usual, atOnce: Math.max(1, hashesAtOnce - limits.reserved), rest: limits.rest },
    'slow sign-in hash': slow,
    'slow hash': slow,
    'key pair': {
      atOnce: 1,
      slots: [long, heavy],
      waiting: waitingPairs.all,
      waitingOfHolder: waitingPairs.holder,
      rest: restOfPairs,
      refuse: refusePair,
    },
    'signing key': { atOnce: 2, slots: [long], waiting: waitingPairs.all, refuse: refusePair },
    picture: {
      atOnce: 1,
      slots: [long, heavy],
      waiting: waitingPictures.all,
      waitingOfHolder: waitingPictures.holder,
      rest: restOfPairs,
      refuse: refuseOther,
    },
    compression: { atOnce: 1, slots: [long], waiting: waitingShort, refuse: refuseOther },
    // Twice as many as threads, so that a thread has its next work at once.
    short: { atOnce: 2 * threads, waiting: waitingShort, refuse: refuseOther },
  };
  const lanes = createFairLanes(all);
  return {
    run: (kind, holder = '', work) => lanes.run(kind, holder, work),
    waiting: (kind, holder = '') => lanes.waiting(kind, holder),
    load: lanes.load,
  };
}
