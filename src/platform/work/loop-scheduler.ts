import { createLru } from '../lru.js';
import { createLoopShare, type LoopShare } from './loop-share.js';

/**
 * Divides long computations into slices. In each turn of the event loop runs at most one slice, so that other requests wait no longer
 * than that for their turn.
 */
interface LoopScheduler {
  /**
   * Begins a computation.
   * @param holder whose share of the event loop it uses, such as an organization. Computations of one holder run in the order in which
   * they began, and those of several holders in turn. Computations for several organizations have no holder, and no share
   */
  begin(holder?: string): SlicedWork;
}

/** A computation in slices. */
export interface SlicedWork {
  /** Ends the slice, if one has begun, and resolves when the next one may begin. It begins then. */
  turn(): Promise<void>;
  /** Whether the slice has lasted long enough. False outside of a slice. */
  isDue(): boolean;
  /** Ends the slice. Call it before anything is awaited but {@link turn}, and at the end. */
  stop(): void;
  /**
   * Counts time in which others, such as the database, worked for the computation. The holder has used its share of the event loop for so
   * much longer. In milliseconds.
   */
  charge(ms: number): void;
}

interface SliceLimits {
  /** After this time a slice is due, in milliseconds. */
  readonly sliceMs: number;
  /** The part of the event loop that the slices of one holder may take. */
  readonly share: LoopShare;
  /** Slices of a holder that was idle may take this time together before its share applies, in milliseconds. */
  readonly burstMs: number;
}

/** The slices of one holder. */
interface Holder {
  /** In the order in which their computations began. */
  readonly waiting: { readonly order: number; readonly begin: () => void }[];
  /** No slice begins before this time of `performance.now`. */
  readyAt: number;
}

/** The name of no holder. */
const nobody = '';

/** A slice counts as so long at most. A longer one was not stopped while something else was waited for. In milliseconds. */
const longestSliceMs = 250;

/** The most holders whose use of their share is remembered while none of their computations waits. */
const mostIdle = 1_000;

export function createLoopScheduler({ sliceMs, share, burstMs }: SliceLimits): LoopScheduler {
  /** Holders with computations that wait. The one that had its turn last stands last. */
  const waiting = new Map<string, Holder>();
  const idle = createLru<Holder>({ max: mostIdle });
  let begun = 0;
  let isAsked = false;
  let timer: NodeJS.Timeout | undefined;

  const holderOf = (name: string) => waiting.get(name) ?? idle.get(name) ?? { waiting: [], readyAt: 0 };

  /** Lets one computation begin a slice, unless all holders have used their share. */
  function next(): void {
    isAsked = false;
    const now = performance.now();
    let earliest = Number.POSITIVE_INFINITY;
    for (const [name, holder] of waiting) {
      if (holder.readyAt > now) {
        earliest = Math.min(earliest, holder.readyAt);
        continue;
      }
      const slice = holder.waiting.shift();
      waiting.delete(name);
      if (holder.waiting.length > 0) waiting.set(name, holder);
      else idle.set(name, holder);
      slice?.begin();
      soon();
      return;
    }
    if (waiting.size > 0) later(earliest - now);
  }

  /** In the next turn of the event loop. */
  function soon(): void {
    if (isAsked || waiting.size === 0) return;
    isAsked = true;
    clearTimeout(timer);
    timer = undefined;
    setImmediate(next);
  }

  function later(ms: number): void {
    clearTimeout(timer);
    timer = setTimeout(() => {
      timer = undefined;
      soon();
    }, Math.ceil(ms));
  }

  function charge(name: string, ms: number): void {
    if (name === nobody) return;
    const holder = holderOf(name);
    const part = share.now();
    holder.readyAt = Math.max(holder.readyAt, performance.now() - burstMs / part) + ms / part;
    if (holder.waiting.length === 0) idle.set(name, holder);
  }

  /** A class, because every search makes one. */
  class Computation implements SlicedWork {
    readonly #name: string;
    readonly #order = begun++;
    #since: number | undefined;
    #computed: NodeJS.CpuUsage | undefined;

    constructor(name: string) {
      this.#name = name;
    }

    isDue(): boolean {
      return this.#since !== undefined && performance.now() - this.#since >= sliceMs;
    }

    stop(): void {
      if (this.#since === undefined) return;
      const lasted = performance.now() - this.#since;
      const used = Math.min(lasted, longestSliceMs, millisecondsOf(process.cpuUsage(this.#computed)));
      this.#since = undefined;
      share.spent(used);
      charge(this.#name, used);
    }

    charge(ms: number): void {
      charge(this.#name, ms);
    }

    turn(): Promise<void> {
      this.stop();
      return new Promise((resolve) => {
        const name = this.#name;
        const order = this.#order;
        const holder = holderOf(name);
        const begin = () => {
          this.#since = performance.now();
          this.#computed = process.cpuUsage();
          resolve();
        };
        const at = holder.waiting.findIndex((other) => other.order > order);
        holder.waiting.splice(at < 0 ? holder.waiting.length : at, 0, { order, begin });
        idle.delete(name);
        waiting.set(name, holder);
        soon();
      });
    }
  }

  return { begin: (name = nobody) => new Computation(name) };
}

/** The system may let other processes run in the middle of a slice. */
function millisecondsOf({ user, system }: NodeJS.CpuUsage): number {
  return (user + system) / 1_000;
}

/** What the slices of one organization may take of the event loop of this process. */
export const sliceShare: LoopShare = createLoopShare({ most: 0.2, least: 0.02 });

/** The part of the time of a request that counts as time of the event loop. In the other part it waits for the database, for example. */
const ofRequest = 0.5;

/**
 * The rest after a heavy request, as a multiple of the time that it took. With it, such requests of one organization take no more of this
 * process than slices do.
 */
export const restOfRequest = (): number => ofRequest / sliceShare.now();

/**
 * The scheduler of this process, for work whose size a client decides: the parsing, rendering and writing of long lists. A bystander meets
 * at most one slice in each of the few turns that its request takes.
 */
export const eventLoop: LoopScheduler = createLoopScheduler({ sliceMs: 2, share: sliceShare, burstMs: 30 });
