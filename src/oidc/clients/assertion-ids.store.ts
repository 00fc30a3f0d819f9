import { hash } from 'node:crypto';
import type { Clock } from '#src/platform/clock.js';
import type { RedisConnection } from '#src/platform/redis/redis.js';

/** An assertion whose signature and claims are good. */
interface UsedAssertion {
  readonly issuer: string;
  readonly jti?: string | undefined;
  /** The assertion itself, a JWT in compact form. */
  readonly jwt: string;
  readonly expires: Date;
}

/**
 * Assertions that clients have used, for as long as they could use them again (RFC 7523 section 3, `jti`).
 */
export interface AssertionIds {
  /**
   * Remembers the assertion: by its `jti`, or by a hash of what is signed if it has none. The signature itself does not count,
   * because an ECDSA signature can be changed into another valid one.
   *
   * @returns false when it was used before. Of two calls at the same time, one gets true.
   */
  use(assertion: UsedAssertion): Promise<boolean>;
}

/** Assertions are accepted for a short time after they expire, so they are remembered for longer. */
const marginMs = 120_000;

/** Opens the store of used assertions. */
export function createAssertionIds(deps: {
  redis: RedisConnection;
  prefix: string;
  clock: Clock;
}): AssertionIds {
  const { redis, prefix, clock } = deps;
  return {
    async use({ issuer, jti, jwt, expires }) {
      const name = jti === undefined ? [issuer, null, jwt.slice(0, jwt.lastIndexOf('.'))] : [issuer, jti];
      const key = `${prefix}:jti:${hash('sha256', JSON.stringify(name), 'base64url')}`;
      const life = Math.max(expires.getTime() - clock.now().getTime(), 0) + marginMs;
      return (await redis.set(key, '1', 'PX', life, 'NX')) === 'OK';
    },
  };
}
