import { hash } from 'node:crypto';
import type { Clock } from '#src/platform/clock.js';
import type { RedisConnection } from '#src/platform/redis/redis.js';

/**
 * Assertions that clients have used, for as long as they could use them again (RFC 7523 section 3, `jti`).
 */
export interface AssertionIds {
  /** Remembers the assertion. @returns false when it was used before; of two calls at once, one gets true */
  use(assertion: { issuer: string; jti: string; expires: Date }): Promise<boolean>;
}

/** Assertions are accepted for a short time after they expire, so they are remembered for longer. */
const marginMs = 120_000;

export function createAssertionIds(deps: {
  redis: RedisConnection;
  prefix: string;
  clock: Clock;
}): AssertionIds {
  const { redis, prefix, clock } = deps;
  return {
    async use({ issuer, jti, expires }) {
      const key = `${prefix}:jti:${hash('sha256', JSON.stringify([issuer, jti]), 'base64url')}`;
      const life = Math.max(expires.getTime() - clock.now().getTime(), 0) + marginMs;
      return (await redis.set(key, '1', 'PX', life, 'NX')) === 'OK';
    },
  };
}
