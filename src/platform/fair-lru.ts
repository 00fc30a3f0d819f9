/** The values of a process by key, which several owners use. See {@link createFairLru}. */
interface FairLru<V> {
  /** Returns the value of a key, if there is one. The owner has used it now. */
  get(owner: string, key: string): V | undefined;
  /** Keeps a value, and drops others while there are too many. */
  set(owner: string, key: string, value: V): void;
}

/**
 * A cache in which no owner can push out the values of others. It counts a value once for each owner that uses it. When these counts
 * exceed `max` in all, the owner with the most values loses the one that it used longest ago. An owner with fewer than `max` divided by
 * the number of owners therefore loses none. A value goes when its last owner has lost it.
 */
export function createFairLru<V extends {}>({ max }: { max: number }): FairLru<V> {
  const values = new Map<string, V>();
  /** How many owners have each key. */
  const holders = new Map<string, number>();
  /** The keys of each owner. The keys, and the owners, stand in the order of their last use. */
  const keysOf = new Map<string, Set<string>>();
  let count = 0;

  /** Notes that the owner used the key. */
  function use(owner: string, key: string): void {
    const keys = keysOf.get(owner) ?? new Set();
    if (!keys.delete(key)) {
      count += 1;
      holders.set(key, (holders.get(key) ?? 0) + 1);
    }
    keys.add(key);
    keysOf.delete(owner);
    keysOf.set(owner, keys);
    while (count > max) dropOne();
  }

  function dropOne(): void {
    let [loser, most] = ['', new Set<string>()];
    for (const [owner, keys] of keysOf) if (keys.size > most.size) [loser, most] = [owner, keys];
    const [oldest = ''] = most;
    most.delete(oldest);
    if (most.size === 0) keysOf.delete(loser);
    count -= 1;
    const others = (holders.get(oldest) ?? 0) - 1;
    if (others > 0) holders.set(oldest, others);
    else {
      holders.delete(oldest);
      values.delete(oldest);
    }
  }

  return {
    get(owner, key) {
      const value = values.get(key);
      if (value !== undefined) use(owner, key);
      return value;
    },
    set(owner, key, value) {
      values.set(key, value);
      use(owner, key);
    },
  };
}
