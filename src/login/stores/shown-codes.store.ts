import type { Sealer } from '#src/keys/sealer.js';
import type { RedisConnection } from '#src/platform/redis/redis.js';

/**
 * Recovery codes that a person has not seen yet, sealed in Redis for ten minutes. The page that shows them follows a redirect, and shows
 * them once.
 */
export interface ShownCodesStore {
  put(sessionId: string, codes: readonly string[]): Promise<void>;
  /** Returns the codes, and removes them. */
  take(sessionId: string): Promise<string[] | undefined>;
}

const lifeMs = 600_000;

const takeScript = `
  local found = redis.call('GET', KEYS[1])
  redis.call('DEL', KEYS[1])
  return found`;

/** Opens the store of recovery codes that were not shown yet. */
export function createShownCodesStore({
  redis,
  prefix,
  sealer,
}: {
  redis: RedisConnection;
  prefix: string;
  sealer: Sealer;
}): ShownCodesStore {
  const keyOf = (sessionId: string) => `${prefix}:shown-codes:${sessionId}`;
  return {
    async put(sessionId, codes) {
      const sealed = sealer.seal(Buffer.from(JSON.stringify(codes))).toString('base64url');
      await redis.set(keyOf(sessionId), sealed, 'PX', lifeMs);
    },
    async take(sessionId) {
      const sealed = await redis.eval(takeScript, 1, keyOf(sessionId));
      if (typeof sealed !== 'string') return undefined;
      const plaintext = sealer.unseal(Buffer.from(sealed, 'base64url'));
      return plaintext && JSON.parse(plaintext.toString());
    },
  };
}
