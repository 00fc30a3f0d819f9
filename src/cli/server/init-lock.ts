import { setTimeout as pause } from 'node:timers/promises';
import { newSecret } from '#src/platform/ids.js';
import { deleteIfEqual } from '#src/platform/redis/delete-if-equal.js';
import type { RedisConnection } from '#src/platform/redis/redis.js';
import { StartError } from '#src/platform/start-error.js';

/** A lock that the process holds. If the process dies, the lock ends after its life. */
interface InitLock {
  /**
   * Starts the life of the lock again. @throws StartError if the lock has ended, because another process may hold it
   */
  renew(): Promise<void>;
  /** Ends the lock. Does nothing if another process holds it. */
  release(): Promise<void>;
}

const renewScript = `
  return redis.call('GET', KEYS[1]) == ARGV[1] and redis.call('PEXPIRE', KEYS[1], ARGV[2]) or 0`;

const pollMs = 100;

/**
 * Takes the lock. If another process holds it, waits longer than the life of a lock.
 * @throws StartError if the other process holds it after that time
 */
export async function takeInitLock(redis: RedisConnection, key: string, lifeMs: number): Promise<InitLock> {
  const value = newSecret();
  const deadline = performance.now() + lifeMs + 2 * pollMs;
  while ((await redis.set(key, value, 'PX', lifeMs, 'NX')) === null) {
    if (performance.now() > deadline) {
      throw new StartError(
        'Another process initializes the instance and did not end in time. Try again when it has ended.',
      );
    }
    await pause(pollMs);
  }
  return {
    async renew() {
      if ((await redis.eval(renewScript, 1, key, value, lifeMs)) === 1) return;
      throw new StartError('Initializing the instance took too long; it has no owner yet. Try again.');
    },
    async release() {
      // If Redis fails here, the lock ends after its life.
      await deleteIfEqual(redis, key, value).catch(() => undefined);
    },
  };
}
