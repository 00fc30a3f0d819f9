import { LRUCache } from 'lru-cache';

/** The values of a process by key. The least recently used value goes first. */
export interface Lru<V> {
  get(key: string): V | undefined;
  has(key: string): boolean;
  set(key: string, value: V): void;
  delete(key: string): void;
  clear(): void;
}

/** The bounds of `lru-cache`: `max` entries, `maxSize` of all by `sizeCalculation`, `ttl` in milliseconds. */
type LruOptions<V> = LRUCache.Options<string, V & {}, unknown>;

/**
 * An LRU cache that takes its memory at the first value. `lru-cache` reserves the room of `max` entries when it is made: with
 * 10,000 entries this is 350 KiB and 1.4 ms, and a process has more than forty of them, many of which it never uses.
 */
export function createLru<V extends {}>(options: LruOptions<V>): Lru<V> {
  let entries: LRUCache<string, V> | undefined;
  return {
    get: (key) => entries?.get(key),
    has: (key) => entries?.has(key) === true,
    set(key, value) {
      entries ??= new LRUCache<string, V>(options);
      entries.set(key, value);
    },
    delete(key) {
      entries?.delete(key);
    },
    clear() {
      entries?.clear();
    },
  };
}
