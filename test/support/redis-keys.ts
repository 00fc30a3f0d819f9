import type { RedisConnection } from '#src/platform/redis.js';

/** The keys of a pattern, on every server. */
export async function keysOf(redis: RedisConnection, pattern: string): Promise<string[]> {
  const servers = 'nodes' in redis ? redis.nodes('master') : [redis];
  return (await Promise.all(servers.map((server) => server.keys(pattern)))).flat();
}

/** Removes keys one at a time: a Cluster takes no command for keys of several slots. */
export async function removeKeys(redis: RedisConnection, keys: readonly string[]): Promise<void> {
  await Promise.all(keys.map((key) => redis.unlink(key)));
}
