/** Bounds what each holder, such as an organization, takes of something at the same time in this process: memory, for example. */
export interface WeightedSemaphore {
  /**
   * Takes a permit of this weight. It comes at once if there is room, and otherwise as a promise. A permit that is heavier than the limit of
   * a holder is taken when the holder has no other.
   * @param onWait called if the permit must be waited for, with a function that gives it up
   * @throws the error of `refuse` if too many wait, or this one too long or in vain
   */
  take(holder: string, weight: number, onWait?: (giveUp: () => void) => void): Permit | Promise<Permit>;
  /** Takes a permit without waiting. Others wait for it. */
  add(holder: string, weight: number): Permit;
  /** What the holder has taken. */
  held(holder: string): number;
  /** How many permits of the holder are waited for. */
  waiting(holder: string): number;
}

/** A permit that is taken. */
export interface Permit {
  weight(): number;
  /** Changes the weight. A heavier permit does not wait, but others do. Does nothing after the release. */
  weigh(weight: number): void;
  /** Gives the permit back. Calling it again does nothing. */
  release(): void;
}

interface SemaphoreLimits {
  /** The most weight of one holder. */
  readonly perHolder: number;
  /** The most weight of all holders. */
  readonly total: number;
  /** The most permits of one holder that are waited for, each for `longestWaitMs` at most. */
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
  /** Holders with a permit or a waiter. */
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

  add(name: string, weight: number): Permit {
    const holder = this.#holderOf(name);
    this.#holders.set(name, holder);
    return this.#occupy(name, holder, weight);
  }

  take(name: string, wanted: number, onWait?: (giveUp: () => void) => void): Permit | Promise<Permit> {
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

  /** Forgets a holder that has neither a permit nor a waiter. */
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

  #occupy(name: string, holder: Holder, weight: number): Permit {
    this.count(holder, weight);
    return new TakenPermit(this, name, holder, weight);
  }

  #wait(
    name: string,
    holder: Holder,
    weight: number,
    onWait?: (giveUp: () => void) => void,
  ): Promise<Permit> {
    return new Promise<Permit>((resolve, reject) => {
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
        resolve(new TakenPermit(this, name, holder, weight));
      };
      const waiter: Waiter = { weight, begin };
      holder.waiting.add(waiter);
      this.#crowded.set(name, holder);
      onWait?.(giveUp);
    });
  }
}

/** A permit whose weight the semaphore has counted. */
class TakenPermit implements Permit {
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
