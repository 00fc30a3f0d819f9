import { LRUCache } from 'lru-cache';
import type { RedisConnection } from './redis.js';

/** A bounded cache of one process whose entries every process drops when one of them says so. */
export interface Cache<V> {
  /** The cached value, or the one that the cache loads. It does not keep undefined. */
  get(key: string): Promise<V>;
  /**
   * Drops the key here and in every other process. Call it after the change is committed. Never fails: while
   * Redis is away the others lose their subscription too, and empty their caches for that.
   */
  invalidate(key: string): Promise<void>;
}

export interface CacheOptions<V> {
  readonly name: string;
  /** Reads the value of a key that is not cached. */
  readonly load: (key: string) => Promise<V>;
  readonly max: number;
  /** Upper bound on staleness should a message be lost. */
  readonly ttlMs?: number;
}

/** All caches of a process and the Redis channel that keeps them honest. */
export interface Caches {
  create<V extends NonNullable<unknown> | undefined>(options: CacheOptions<V>): Cache<V>;
  /**
   * For what is held otherwise: `stale` is called when another process announces a change of this name, and when such
   * a message may have been lost.
   * @returns announces a change to the others; it never fails
   */
  watch(name: string, stale: () => void): () => Promise<void>;
  close(): void;
}

interface Local {
  drop(key: string): void;
  clear(): void;
}

/**
 * @param publisher connection that publishes; `subscriber` must be a connection of its own. A lost subscription
 * may have missed messages, so every cache is emptied then and stays empty until it is back.
 */
export function createCaches(
  publisher: RedisConnection,
  subscriber: RedisConnection,
  prefix: string,
): Caches {
  const channel = `${prefix}:invalidate`;
  const caches = new Map<string, Local>();
  const clearAll = () => {
    for (const cache of caches.values()) cache.clear();
  };
  /**
   * Redis may answer the publisher before it writes to the subscribers. The answer to a later command comes after that,
   * so that what another process is asked once this has ended finds the message there (`http/read-messages-first.ts`).
   * The nodes of a Cluster pass messages on in their own time.
   */
  async function announce(message: string): Promise<void> {
    try {
      await publisher.publish(channel, message);
      await publisher.ping();
    } catch {
      // The others have lost their subscription too.
    }
  }
  // Without a subscription nobody would tell that a value changed, so none is kept then.
  let subscribed = false;
  const subscribe = () => {
    subscriber.subscribe(channel).then(
      () => {
        clearAll();
        subscribed = true;
      },
      // The connection is gone again; it subscribes when it is back.
      () => undefined,
    );
  };
  subscriber.on('close', () => {
    subscribed = false;
    clearAll();
  });
  subscriber.on('ready', subscribe);
  if (subscriber.status === 'ready') subscribe();
  subscriber.on('message', (_channel: string, message: string) => {
    const space = message.indexOf(' ');
    caches.get(message.slice(0, space))?.drop(message.slice(space + 1));
  });

  return {
    create<V extends NonNullable<unknown> | undefined>({
      name,
      load,
      max,
      ttlMs = 60_000,
    }: CacheOptions<V>): Cache<V> {
      const entries = new LRUCache<string, NonNullable<V>>({ max, ttl: ttlMs });
      // Counts invalidations, so that a value read before one is never kept after it.
      let generation = 0;
      const drop = (key: string) => {
        generation++;
        entries.delete(key);
      };
      const clear = () => {
        generation++;
        entries.clear();
      };
      caches.set(name, { drop, clear });
      return {
        async get(key) {
          const known = entries.get(key);
          if (known !== undefined) return known;
          const before = generation;
          const value = await load(key);
          if (value !== undefined && subscribed && generation === before) entries.set(key, value);
          return value;
        },
        async invalidate(key) {
          drop(key);
          await announce(`${name} ${key}`);
        },
      };
    },
    watch(name, stale) {
      caches.set(name, { drop: stale, clear: stale });
      return () => announce(`${name} *`);
    },
    close: () => clearAll(),
  };
}
