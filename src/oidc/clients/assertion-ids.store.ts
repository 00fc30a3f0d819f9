import { hash } from 'node:crypto';
import type { Clock } from '#src/platform/clock.js';
import type { RedisConnection } from '#src/platform/redis/redis.js';

/** The assertions that were used, as long as they could be used again (RFC 7523 section 3, `jti`). */
export interface AssertionIds {
  /** Remembers the assertion; false when it was used before. Of two at once one is first. */
  use(assertion: { issuer: string; jti: string; expires: Date }): Promise<boolean>;
}

/** Assertions are accepted a little after their end, so they are remembered a little longer. */
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
