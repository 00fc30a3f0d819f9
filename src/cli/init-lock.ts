import { setTimeout as pause } from 'node:timers/promises';
import { newSecret } from '#src/platform/ids.js';
import type { RedisConnection } from '#src/platform/redis/redis.js';
import { StartError } from '#src/platform/start-failure.js';

/** A lock that is held; it ends by itself after its life, should its holder die. */
export interface InitLock {
  /** Lets it live its whole life again. @throws StartError when it has ended and may be another's */
  renew(): Promise<void>;
  /** Ends it; does nothing to a lock that is another's by now. */
  release(): Promise<void>;
}

const renewScript = `
  return redis.call('GET', KEYS[1]) == ARGV[1] and redis.call('PEXPIRE', KEYS[1], ARGV[2]) or 0`;
const releaseScript = `
  return redis.call('GET', KEYS[1]) == ARGV[1] and redis.call('DEL', KEYS[1]) or 0`;

const pollMs = 100;

/**
 * Takes the lock, or waits for who holds it: longer than a holder that died could keep it.
 * @throws StartError when the other holds it still
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
      // Without Redis it ends by itself; what was done stays done.
      await redis.eval(releaseScript, 1, key, value).catch(() => undefined);
    },
  };
}
