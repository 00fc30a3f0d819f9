import { AppError } from '#src/platform/errors.js';
import type { EndedWork } from '#src/platform/rest-after.js';
import { keyErrors } from './errors.js';
import { createHashTurns } from './hash-turns.js';

/** `sign-in` is work for which a person waits at a sign-in. `other` is everything else, such as creations and imports. */
export type HashPurpose = 'sign-in' | 'other';

/** For whom a hash is computed. Work of equal places waits in the order of its arrival. */
export interface HashPlace {
  readonly purpose: HashPurpose;
  /** The organization of the person. Undefined if no organization is known to have the login name. */
  readonly orgId: string | undefined;
}

/**
 * Limits how much hash work runs and waits at once. No purpose and no organization can keep the others from the slots.
 */
export interface HashBounds {
  /** @throws AppError `keys.hashPoolSaturated` when the queue is full */
  run<T>(place: HashPlace, work: () => Promise<T>): Promise<T>;
  /** The amount of work that waits at one place. */
  waitingAt(place: HashPlace): number;
  /** Running and waiting work. */
  load(): { running: number; waiting: number };
}

export interface HashLimits {
  /** Work that runs at once. */
  readonly concurrency: number;
  /** Slots that only sign-ins use. At least one slot remains for other work. */
  readonly reserved: number;
  /** Sign-ins that may wait. The same number of other work may wait. */
  readonly queue: number;
  /**
   * Called when other work has ended, with its time in milliseconds and the amount of other work that waits. If it returns a
   * promise, the slot takes no other work until that resolves. Sign-ins may use the slot meanwhile.
   */
  readonly rest?: ((ended: EndedWork) => Promise<unknown> | undefined) | undefined;
  /** Called with the time that each work waited, in seconds. */
  readonly waited?: ((seconds: number) => void) | undefined;
  /** Called for each refused work. */
  readonly refused?: (() => void) | undefined;
}

const purposes: readonly HashPurpose[] = ['sign-in', 'other'];

/**
 * Sign-ins and other work take turns if both wait, and so do the organizations within each. Other work never takes the
 * reserved slots.
 */
export function createHashBounds(limits: HashLimits): HashBounds {
  const most = { 'sign-in': limits.concurrency, other: Math.max(1, limits.concurrency - limits.reserved) };
  const running = { 'sign-in': 0, other: 0 };
  const waiting = { 'sign-in': createHashTurns(limits.queue), other: createHashTurns(limits.queue) };
  const resting = { 'sign-in': 0, other: 0 };
  let latest: HashPurpose = 'other';

  const allRunning = () => running['sign-in'] + running.other;
  const mayBegin = (purpose: HashPurpose) =>
    allRunning() < limits.concurrency && running[purpose] + resting[purpose] < most[purpose];

  function begin(purpose: HashPurpose): void {
    running[purpose]++;
    latest = purpose;
  }

  function end(purpose: HashPurpose, tookMs: number): void {
    running[purpose]--;
    const rest = purpose === 'other' ? limits.rest?.({ tookMs, waiting: waiting.other.size() }) : undefined;
    if (rest !== undefined) {
      resting.other++;
      rest.then(() => {
        resting.other--;
        beginNext();
      });
    }
    beginNext();
  }

  function beginNext(): void {
    const ready = purposes.filter((one) => waiting[one].size() > 0 && mayBegin(one));
    const chosen = ready.find((one) => one !== latest) ?? ready[0];
    if (chosen === undefined) return;
    begin(chosen);
    waiting[chosen].next()?.start();
  }

  function turn({ purpose, orgId = '' }: HashPlace): Promise<void> {
    return new Promise((start, reject) => {
      const refuse = () => {
        limits.refused?.();
        const detail = `More than ${limits.queue} passwords wait to be hashed in this process; try again shortly`;
        reject(new AppError(keyErrors.hashPoolSaturated, { detail, retryAfterSeconds: 1 }));
      };
      waiting[purpose].add(orgId, { start, refuse });
    });
  }

  return {
    async run(place, work) {
      const asked = performance.now();
      if (mayBegin(place.purpose)) begin(place.purpose);
      else await turn(place);
      const begun = performance.now();
      limits.waited?.((begun - asked) / 1000);
      try {
        return await work();
      } finally {
        end(place.purpose, performance.now() - begun);
      }
    },
    waitingAt: ({ purpose, orgId = '' }) => waiting[purpose].size(orgId),
    load: () => ({
      running: allRunning(),
      waiting: waiting['sign-in'].size() + waiting.other.size(),
    }),
  };
}
