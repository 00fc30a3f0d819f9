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
  /** Holders with a place or a waiter. */
  const holders = new Map<string, Holder>();
  /** Those with a waiter. The one that was served last stands last. */
  const crowded = new Map<string, Holder>();
  let total = 0;

  const fits = ({ held }: Holder, weight: number) =>
    (held === 0 || held + weight <= limits.perHolder) && (total === 0 || total + weight <= limits.total);

  function count(holder: Holder, weight: number): void {
    holder.held += weight;
    total += weight;
  }

  /** Serves those who wait and fit, in their order. No later one of a holder passes an earlier one. */
  function serve(): void {
    if (crowded.size === 0) return;
    for (const [name, holder] of [...crowded]) {
      for (const { weight, begin } of holder.waiting) {
        if (!fits(holder, weight)) break;
        count(holder, weight);
        begin();
        crowded.delete(name);
      }
      if (holder.waiting.size > 0) crowded.set(name, holder);
      else crowded.delete(name);
    }
  }

  function forget(name: string, holder: Holder): void {
    if (holder.held === 0 && holder.waiting.size === 0 && holders.get(name) === holder) holders.delete(name);
  }

  function placeOf(name: string, holder: Holder, weight: number): Place {
    let held = weight;
    let isReleased = false;
    const weigh = (next: number) => {
      if (isReleased) return;
      const isLighter = next < held;
      count(holder, next - held);
      held = next;
      if (isLighter) serve();
    };
    return {
      weight: () => held,
      weigh,
      release() {
        weigh(0);
        isReleased = true;
        forget(name, holder);
      },
    };
  }

  function wait(name: string, holder: Holder, weight: number, onWait?: (giveUp: () => void) => void) {
    return new Promise<Place>((resolve, reject) => {
      const leave = () => {
        clearTimeout(late);
        holder.waiting.delete(waiter);
      };
      const giveUp = () => {
        if (!holder.waiting.has(waiter)) return;
        leave();
        reject(limits.refuse());
        // The next one may be lighter.
        serve();
        forget(name, holder);
      };
      const late = setTimeout(giveUp, limits.longestWaitMs);
      const waiter: Waiter = {
        weight,
        begin() {
          leave();
          resolve(placeOf(name, holder, weight));
        },
      };
      holder.waiting.add(waiter);
      crowded.set(name, holder);
      onWait?.(giveUp);
    });
  }

  return {
    held: (name) => holders.get(name)?.held ?? 0,
    waiting: (name) => holders.get(name)?.waiting.size ?? 0,
    add(name, weight) {
      const holder = holders.get(name) ?? { held: 0, waiting: new Set() };
      holders.set(name, holder);
      count(holder, weight);
      return placeOf(name, holder, weight);
    },
    take(name, wanted, onWait) {
      const weight = Math.min(wanted, limits.perHolder);
      const holder = holders.get(name) ?? { held: 0, waiting: new Set() };
      if (holder.waiting.size === 0 && fits(holder, weight)) {
        holders.set(name, holder);
        count(holder, weight);
        return placeOf(name, holder, weight);
      }
      if (holder.waiting.size >= limits.waiting) throw limits.refuse();
      holders.set(name, holder);
      return wait(name, holder, weight, onWait);
    },
  };
}
