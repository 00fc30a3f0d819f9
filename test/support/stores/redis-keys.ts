import type { RedisConnection } from '#src/platform/redis/redis.js';

/** The number of keys per command. It is small enough not to delay other users of the server. */
const step = 5_000;

/**
 * The keys that match a pattern, on every server. Without the signal that requests are late (late-signal.ts), which comes and ends by itself
 * on a busy machine.
 */
export async function keysOf(redis: RedisConnection, pattern: string): Promise<string[]> {
  const servers = 'nodes' in redis ? redis.nodes('master') : [redis];
  const found = new Set<string>();
  for (const server of servers) {
    let cursor = '0';
    do {
      const [next, keys] = await server.scan(cursor, 'MATCH', pattern, 'COUNT', step);
      for (const key of keys) if (!key.endsWith(':late')) found.add(key);
      cursor = next;
    } while (cursor !== '0');
  }
  return [...found];
}

/** Removes keys one at a time, because a Cluster refuses a command for keys of several slots. */
export async function removeKeys(redis: RedisConnection, keys: readonly string[]): Promise<void> {
  await Promise.all(keys.map((key) => redis.unlink(key)));
}
