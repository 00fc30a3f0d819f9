import type { RedisConnection } from './redis.js';

const script = `
  return redis.call('GET', KEYS[1]) == ARGV[1] and redis.call('DEL', KEYS[1]) or 0`;

/** Deletes the key if it has this value, in one step. A lock that another process has taken meanwhile stays. */
export async function deleteIfEqual(redis: RedisConnection, key: string, value: string): Promise<void> {
  await redis.eval(script, 1, key, value);
}
