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
  readonly waiting: WaitingSlice[];
  /** No slice begins before this time of `performance.now`. */
  readyAt: number;
}

interface WaitingSlice {
  /** The number of its computation. */
  readonly order: number;
  readonly begin: () => void;
}

/** The name of no holder. */
const nobody = '';

/** A slice counts as so long at most. A longer one was not stopped while something else was waited for. In milliseconds. */
const longestSliceMs = 250;

/** The most holders whose use of their share is remembered while none of their computations waits. */
const mostIdle = 1_000;

export function createLoopScheduler(limits: SliceLimits): LoopScheduler {
  const queue = new SliceQueue(limits);
  let begun = 0;
  return { begin: (name = nobody) => new Computation(limits, queue, name, begun++) };
}

/** Lets the waiting slices begin, one in each turn of the event loop, and the holders in turn. */
class SliceQueue {
  readonly #limits: SliceLimits;
  /** Holders with computations that wait. The one that had its turn last stands last. */
  readonly #waiting = new Map<string, Holder>();
  readonly #idle = createLru<Holder>({ max: mostIdle });
  #isAsked = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(limits: SliceLimits) {
    this.#limits = limits;
  }

  add(name: string, slice: WaitingSlice): void {
    const holder = this.#holderOf(name);
    const at = holder.waiting.findIndex((other) => other.order > slice.order);
    holder.waiting.splice(at < 0 ? holder.waiting.length : at, 0, slice);
    this.#idle.delete(name);
    this.#waiting.set(name, holder);
    this.#soon();
  }

  charge(name: string, ms: number): void {
    if (name === nobody) return;
    const { share, burstMs } = this.#limits;
    const holder = this.#holderOf(name);
    const part = share.now();
    holder.readyAt = Math.max(holder.readyAt, performance.now() - burstMs / part) + ms / part;
    if (holder.waiting.length === 0) this.#idle.set(name, holder);
  }

  #holderOf(name: string): Holder {
    return this.#waiting.get(name) ?? this.#idle.get(name) ?? { waiting: [], readyAt: 0 };
  }

  /** Lets one computation begin a slice, unless all holders have used their share. */
  readonly #next = (): void => {
    this.#isAsked = false;
    const now = performance.now();
    let earliest = Number.POSITIVE_INFINITY;
    for (const [name, holder] of this.#waiting) {
      if (holder.readyAt > now) {
        earliest = Math.min(earliest, holder.readyAt);
        continue;
      }
      const slice = holder.waiting.shift();
      this.#waiting.delete(name);
      if (holder.waiting.length > 0) this.#waiting.set(name, holder);
      else this.#idle.set(name, holder);
      slice?.begin();
      this.#soon();
      return;
    }
    if (this.#waiting.size > 0) this.#later(earliest - now);
  };

  /** In the next turn of the event loop. */
  #soon(): void {
    if (this.#isAsked || this.#waiting.size === 0) return;
    this.#isAsked = true;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    setImmediate(this.#next);
  }

  #later(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#soon();
    }, Math.ceil(ms));
  }
}

/** A class, because every search makes one. */
class Computation implements SlicedWork {
  readonly #limits: SliceLimits;
  readonly #queue: SliceQueue;
  readonly #name: string;
  readonly #order: number;
  #since: number | undefined;
  #computed: NodeJS.CpuUsage | undefined;

  constructor(limits: SliceLimits, queue: SliceQueue, name: string, order: number) {
    this.#limits = limits;
    this.#queue = queue;
    this.#name = name;
    this.#order = order;
  }

  isDue(): boolean {
    return this.#since !== undefined && performance.now() - this.#since >= this.#limits.sliceMs;
  }

  stop(): void {
    if (this.#since === undefined) return;
    const lasted = performance.now() - this.#since;
    const used = Math.min(lasted, longestSliceMs, millisecondsOf(process.cpuUsage(this.#computed)));
    this.#since = undefined;
    this.#limits.share.spent(used);
    this.charge(used);
  }

  charge(ms: number): void {
    this.#queue.charge(this.#name, ms);
  }

  turn(): Promise<void> {
    this.stop();
    return new Promise((resolve) => {
      const begin = () => {
        this.#since = performance.now();
        this.#computed = process.cpuUsage();
        resolve();
      };
      this.#queue.add(this.#name, { order: this.#order, begin });
    });
  }
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
