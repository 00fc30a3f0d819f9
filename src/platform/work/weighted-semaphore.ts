/** Bounds what each holder, such as an organization, takes of something at the same time in this process: memory, for example. */
export interface WeightedSemaphore {
  /**
   * Takes a place of this weight. It comes at once if there is room, and otherwise as a promise. A place that is heavier than the limit of
   * a holder is taken when the holder has no other.
   * @param onWait called if the place must be waited for, with a function that gives it up
   * @throws the error of `refuse` if too many wait, or this one too long or in vain
   */
  take(holder: string, weight: number, onWait?: (giveUp: () => void) => void): Place | Promise<Place>;
  /** Takes a place without waiting. Others wait for it. */
  add(holder: string, weight: number): Place;
  /** What the holder has taken. */
  held(holder: string): number;
  /** How many places of the holder are waited for. */
  waiting(holder: string): number;
}

/** A place that is taken. */
export interface Place {
  weight(): number;
  /** Changes the weight. A heavier place does not wait, but others do. Does nothing after the release. */
  weigh(weight: number): void;
  /** Gives the place back. Calling it again does nothing. */
  release(): void;
}

interface SemaphoreLimits {
  /** The most weight of one holder. */
  readonly perHolder: number;
  /** The most weight of all holders. */
  readonly total: number;
  /** The most places of one holder that are waited for, each for `longestWaitMs` at most. */
  readonly waiting: number;
  readonly longestWaitMs: number;
  /** Makes the error for more. */
  readonly refuse: () => Error;
}

interface Holder {
  held: number;
  readonly waiting: Set<Waiter>;
}

interface Waiter {
  readonly weight: number;
  readonly begin: () => void;
}

export function createWeightedSemaphore(limits: SemaphoreLimits): WeightedSemaphore {
  return new Semaphore(limits);
}

class Semaphore implements WeightedSemaphore {
  readonly #limits: SemaphoreLimits;
  /** Holders with a place or a waiter. */
  readonly #holders = new Map<string, Holder>();
  /** Those with a waiter. The one that was served last stands last. */
  readonly #crowded = new Map<string, Holder>();
  #total = 0;

  constructor(limits: SemaphoreLimits) {
    this.#limits = limits;
  }

  held(name: string): number {
    return this.#holders.get(name)?.held ?? 0;
  }

  waiting(name: string): number {
    return this.#holders.get(name)?.waiting.size ?? 0;
  }

  add(name: string, weight: number): Place {
    const holder = this.#holderOf(name);
    this.#holders.set(name, holder);
    return this.#occupy(name, holder, weight);
  }

  take(name: string, wanted: number, onWait?: (giveUp: () => void) => void): Place | Promise<Place> {
    const weight = Math.min(wanted, this.#limits.perHolder);
    const holder = this.#holderOf(name);
    if (holder.waiting.size === 0 && this.#fits(holder, weight)) {
      this.#holders.set(name, holder);
      return this.#occupy(name, holder, weight);
    }
    if (holder.waiting.size >= this.#limits.waiting) throw this.#limits.refuse();
    this.#holders.set(name, holder);
    return this.#wait(name, holder, weight, onWait);
  }

  /** Changes what a holder has taken. */
  count(holder: Holder, weight: number): void {
    holder.held += weight;
    this.#total += weight;
  }

  /** Serves those who wait and fit, in their order. No later one of a holder passes an earlier one. */
  serve(): void {
    if (this.#crowded.size === 0) return;
    for (const [name, holder] of [...this.#crowded]) {
      for (const { weight, begin } of holder.waiting) {
        if (!this.#fits(holder, weight)) break;
        this.count(holder, weight);
        begin();
        this.#crowded.delete(name);
      }
      if (holder.waiting.size > 0) this.#crowded.set(name, holder);
      else this.#crowded.delete(name);
    }
  }

  /** Forgets a holder that has neither a place nor a waiter. */
  forget(name: string, holder: Holder): void {
    if (holder.held === 0 && holder.waiting.size === 0 && this.#holders.get(name) === holder)
      this.#holders.delete(name);
  }

  #holderOf(name: string): Holder {
    return this.#holders.get(name) ?? { held: 0, waiting: new Set() };
  }

  #fits({ held }: Holder, weight: number): boolean {
    return (
      (held === 0 || held + weight <= this.#limits.perHolder) &&
      (this.#total === 0 || this.#total + weight <= this.#limits.total)
    );
  }

  #occupy(name: string, holder: Holder, weight: number): Place {
    this.count(holder, weight);
    return new TakenPlace(this, name, holder, weight);
  }

  #wait(name: string, holder: Holder, weight: number, onWait?: (giveUp: () => void) => void): Promise<Place> {
    return new Promise<Place>((resolve, reject) => {
      const leave = () => {
        clearTimeout(late);
        holder.waiting.delete(waiter);
      };
      const giveUp = () => {
        if (!holder.waiting.has(waiter)) return;
        leave();
        reject(this.#limits.refuse());
        // The next one may be lighter.
        this.serve();
        this.forget(name, holder);
      };
      const late = setTimeout(giveUp, this.#limits.longestWaitMs);
      const begin = () => {
        leave();
        // `serve` has counted the weight.
        resolve(new TakenPlace(this, name, holder, weight));
      };
      const waiter: Waiter = { weight, begin };
      holder.waiting.add(waiter);
      this.#crowded.set(name, holder);
      onWait?.(giveUp);
    });
  }
}

/** A place whose weight the semaphore has counted. */
class TakenPlace implements Place {
  readonly #semaphore: Semaphore;
  readonly #name: string;
  readonly #holder: Holder;
  #weight: number;
  #isReleased = false;

  constructor(semaphore: Semaphore, name: string, holder: Holder, weight: number) {
    this.#semaphore = semaphore;
    this.#name = name;
    this.#holder = holder;
    this.#weight = weight;
  }

  weight(): number {
    return this.#weight;
  }

  weigh(next: number): void {
    if (this.#isReleased) return;
    const isLighter = next < this.#weight;
    this.#semaphore.count(this.#holder, next - this.#weight);
    this.#weight = next;
    if (isLighter) this.#semaphore.serve();
  }

  release(): void {
    this.weigh(0);
    this.#isReleased = true;
    this.#semaphore.forget(this.#name, this.#holder);
  }
}
