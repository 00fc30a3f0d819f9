/** The values of a process by key, which several owners use. See {@link createFairLru}. */
export interface FairLru<V> {
  /** Returns the value of a key, if there is one. The owner has used it now. */
  get(owner: string, key: string): V | undefined;
  /** Keeps a value, and drops others while there are too many. */
  set(owner: string, key: string, value: V): void;
}

/**
 * A cache with `max` values in which no owner can push out the values of others. When it is full, the owner with the most values loses
 * the one that it used longest ago. An owner with fewer than `max` divided by the number of owners therefore loses none. A value that
 * several owners use counts for the one of them that has the fewest, so that an owner cannot push it out by using it too.
 */
export function createFairLru<V extends {}>({ max }: { max: number }): FairLru<V> {
  const values = new Map<string, V>();
  const ownerOf = new Map<string, string>();
  /** The keys that count for each owner. The keys, and the owners, stand in the order of their last use. */
  const keysOf = new Map<string, Set<string>>();

  function release(key: string): void {
    const owner = ownerOf.get(key);
    if (owner === undefined) return;
    const keys = keysOf.get(owner);
    keys?.delete(key);
    if (keys?.size === 0) keysOf.delete(owner);
    ownerOf.delete(key);
  }

  /** Notes that the owner used the key. */
  function use(owner: string, key: string): void {
    const before = ownerOf.get(key);
    const countOf = (name: string) => keysOf.get(name)?.size ?? 0;
    const next = before === undefined || countOf(owner) < countOf(before) ? owner : before;
    release(key);
    const keys = keysOf.get(next) ?? new Set();
    keys.add(key);
    keysOf.delete(next);
    keysOf.set(next, keys);
    ownerOf.set(key, next);
  }

  function dropOne(): void {
    let most: Set<string> | undefined;
    for (const keys of keysOf.values()) if (keys.size > (most?.size ?? 0)) most = keys;
    const [oldest] = most ?? [];
    if (oldest === undefined) return;
    release(oldest);
    values.delete(oldest);
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
      while (values.size > max) dropOne();
    },
  };
}
