import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { Sealer } from '#src/keys/sealer.js';
import type { RedisConnection } from '#src/platform/redis/redis.js';
import type { LogoutHint } from '../provider/index.js';

/** Hints of the sign-ins of each person, as long as a session here may live. */
export interface LogoutHintsStore {
  /** @param of `ref`: an identifier of the sign-in that no other one has */
  put(of: { userId: string; ref: string }, hint: LogoutHint): Promise<void>;
  /** Returns the hint and ends it. */
  take(of: { userId: string; ref: string }): Promise<LogoutHint | undefined>;
}

/** As many as a person can have sessions. */
const mostOfPerson = 100;
/** The longest hint, in bytes of JSON. The provider is told without a longer one. */
const maxBytes = 8_192;

/** A person who has too many loses all of them: most are of sessions that have ended. */
const putScript = `
  if redis.call('HLEN', KEYS[1]) >= tonumber(ARGV[1]) then redis.call('DEL', KEYS[1]) end
  redis.call('HSET', KEYS[1], ARGV[2], ARGV[3])
  return redis.call('PEXPIRE', KEYS[1], ARGV[4])`;

const takeScript = `
  local found = redis.call('HGET', KEYS[1], ARGV[1])
  redis.call('HDEL', KEYS[1], ARGV[1])
  return found`;

export function createLogoutHints({
  redis,
  prefix,
  sealer,
  lifeSeconds,
}: {
  redis: RedisConnection;
  prefix: string;
  sealer: Sealer;
  /** The longest life of a session. */
  lifeSeconds: number;
}): LogoutHintsStore {
  const keyOf = (userId: string) => `${prefix}:connection-logout-hints:${userId}`;
  return {
    async put({ userId, ref }, hint) {
      const json = JSON.stringify(hint);
      if (Buffer.byteLength(json) > maxBytes) return;
      const sealed = sealer.seal(deflateRawSync(json)).toString('base64url');
      await redis.eval(putScript, 1, keyOf(userId), mostOfPerson, ref, sealed, lifeSeconds * 1000);
    },
    async take({ userId, ref }) {
      const sealed = await redis.eval(takeScript, 1, keyOf(userId), ref);
      const plain = typeof sealed === 'string' ? sealer.unseal(Buffer.from(sealed, 'base64url')) : undefined;
      if (plain === undefined) return undefined;
      return JSON.parse(inflateRawSync(plain, { maxOutputLength: maxBytes }).toString());
    },
  };
}
