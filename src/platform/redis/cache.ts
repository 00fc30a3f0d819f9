import { createLru } from '../lru.js';
import { type Invalidations, openInvalidations } from './invalidations.js';
import type { RedisConnection } from './redis.js';

/** A bounded cache of one process. When any process invalidates an entry, all processes drop it. */
export interface Cache<V> {
  /** The cached value, or the one that the cache loads. Callers who wait for the same key share one load. It does not keep undefined. */
  get(key: string): Promise<V>;
  /**
   * Drops the key in all processes. Call it after the commit. It never fails: while Redis is away, the other
   * processes lose their subscription too, and empty their caches.
   */
  invalidate(key: string): Promise<void>;
}

interface CacheOptions<V> {
  readonly name: string;
  /** Reads the value of a key that is not cached. */
  readonly load: (key: string) => Promise<V>;
  /** The most entries. By default 10,000: one process receives requests from about this many users and clients within a minute. */
  readonly max?: number;
  /**
   * Whether a value says that something is absent. Such values have as much room again, of their own: a caller who may choose keys
   * cannot push out the other values with keys that mean nothing.
   */
  readonly isAbsence?: (value: NonNullable<V>) => boolean;
  /** The longest age of an entry, in case a message is lost. */
  readonly ttlMs?: number;
}

/** All caches of a process, and the Redis channel that invalidates them. */
export interface Caches {
  create<V extends NonNullable<unknown> | undefined>(options: CacheOptions<V>): Cache<V>;
  /**
   * For data that a cache does not hold. `stale` is called when another process announces a change of this
   * name, and when such a message may have been lost.
   * @returns a function that announces a change to the other processes, and never fails
   */
  watch(name: string, stale: () => void): () => Promise<void>;
  close(): void;
}

/** A load that is under way. */
interface Loading<V> {
  /** The invalidations when it began. */
  readonly generation: number;
  readonly value: Promise<V>;
}

interface Local {
  drop(key: string): void;
  clear(): void;
}

/**
 * When the subscription is lost, messages may be missed. Every cache is then emptied, and stays empty until
 * the subscription is back.
 * @param publisher publishes
 * @param subscriber must be a connection of its own
 */
export function createCaches(
  publisher: RedisConnection,
  subscriber: RedisConnection,
  prefix: string,
): Caches {
  const caches = new Map<string, Local>();
  const clearAll = () => {
    for (const cache of caches.values()) cache.clear();
  };
  const invalidations = openInvalidations({
    publisher,
    subscriber,
    channel: `${prefix}:invalidate`,
    heard(message) {
      const space = message.indexOf(' ');
      caches.get(message.slice(0, space))?.drop(message.slice(space + 1));
    },
    missed: clearAll,
  });

  return {
    create(options) {
      const { cache, local } = createCache(options, invalidations);
      caches.set(options.name, local);
      return cache;
    },
    watch(name, stale) {
      caches.set(name, { drop: stale, clear: stale });
      return () => invalidations.announce(`${name} *`);
    },
    close: () => clearAll(),
  };
}

/** A cache, and what empties it. Without a subscription no message invalidates a value, so no value is kept. */
function createCache<V extends NonNullable<unknown> | undefined>(
  { name, load, max = 10_000, isAbsence = () => false, ttlMs = 60_000 }: CacheOptions<V>,
  invalidations: Invalidations,
): { cache: Cache<V>; local: Local } {
  // An entry may be this much older than its longest age. By default, each cache reads the time every millisecond, with a timer.
  const ttlResolution = Math.ceil(ttlMs / 100);
  const entries = createLru<NonNullable<V>>({ max, ttl: ttlMs, ttlResolution });
  const absences = createLru<NonNullable<V>>({ max, ttl: ttlMs, ttlResolution });
  const loading = new Map<string, Loading<V>>();
  // Counts invalidations. A value that was read before an invalidation is never kept after it.
  let generation = 0;

  function drop(key: string): void {
    generation++;
    entries.delete(key);
    absences.delete(key);
  }

  function clear(): void {
    generation++;
    entries.clear();
    absences.clear();
  }

  async function read(key: string): Promise<V> {
    const before = generation;
    const value = await load(key);
    if (value !== undefined && invalidations.areHeard() && generation === before)
      (isAbsence(value) ? absences : entries).set(key, value);
    return value;
  }

  /** Nobody gets a value that was read before an invalidation which this process may have heard of. */
  function readOnce(key: string): Promise<V> {
    const other = loading.get(key);
    if (other !== undefined && invalidations.areHeard() && other.generation === generation)
      return other.value;
    const mine: Loading<V> = {
      generation,
      value: read(key).finally(() => {
        if (loading.get(key) === mine) loading.delete(key);
      }),
    };
    loading.set(key, mine);
    return mine.value;
  }

  return {
    cache: {
      async get(key) {
        return entries.get(key) ?? absences.get(key) ?? readOnce(key);
      },
      async invalidate(key) {
        drop(key);
        await invalidations.announce(`${name} ${key}`);
      },
    },
    local: { drop, clear },
  };
}
