import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { Sealer } from '#src/keys/sealer.js';
import { hashSecret } from '#src/keys/secret-hash.js';
import { AppError } from '#src/platform/errors.js';
import type { RedisConnection } from '#src/platform/redis/redis.js';
import type { StoreBound } from '#src/platform/redis/store-bound.js';
import { connectionErrors } from '../registry/errors.js';

/**
 * What waits for a person whom nobody knows yet. Redis keeps each entry for ten minutes, sealed, under the hash of a secret of 43 characters
 * (`newSecret`). All entries together are within the bound of callers who are not signed in.
 */
export interface SealedEntries<Entry> {
  /** @throws AppError `connections.signInsFull` if callers who are not signed in have stored too much */
  put(secret: string, entry: Entry): Promise<void>;
  /** Returns the entry without ending it. */
  find(secret: string): Promise<Entry | undefined>;
  /** Returns the entry and ends it: of several callers, one gets it. */
  take(secret: string): Promise<Entry | undefined>;
}

export interface SealedEntriesDeps {
  readonly redis: RedisConnection;
  readonly prefix: string;
  readonly sealer: Sealer;
  readonly bound: StoreBound;
}

const lifeMs = 600_000;
/** The longest entry, in bytes. The flow of a sign-in has at most 24,000 characters. */
const maxBytes = 65_536;
const secretShape = /^[\w-]{43}$/;

/**
 * Opens the entries of one kind.
 * @param kind `family`: what the keys in Redis begin with. `revive` makes an entry of its JSON, in which dates are texts
 */
export function createSealedEntries<Entry>(
  { redis, sealer, bound }: SealedEntriesDeps,
  { family, revive }: { family: string; revive: (json: never) => Entry },
): SealedEntries<Entry> {
  const keyOf = (secret: string) => `${family}:${hashSecret(secret)}`;
  const unseal = (sealed: string | null): Entry | undefined => {
    const plain = sealed === null ? undefined : sealer.unseal(Buffer.from(sealed, 'base64url'));
    if (plain === undefined) return undefined;
    return revive(JSON.parse(inflateRawSync(plain, { maxOutputLength: maxBytes }).toString()) as never);
  };
  return {
    async put(secret, entry) {
      if (bound.isFull())
        throw new AppError(connectionErrors.signInsFull, { retryAfterSeconds: bound.secondsLeft() });
      const key = keyOf(secret);
      const sealed = sealer.seal(deflateRawSync(JSON.stringify(entry))).toString('base64url');
      await redis.set(key, sealed, 'PX', lifeMs);
      bound.add({ key, lifeMs, valueBytes: sealed.length });
    },
    async find(secret) {
      return secretShape.test(secret) ? unseal(await redis.get(keyOf(secret))) : undefined;
    },
    async take(secret) {
      if (!secretShape.test(secret)) return undefined;
      const key = keyOf(secret);
      const sealed = await redis.getdel(key);
      if (sealed !== null) bound.remove({ key, lifeMs, valueBytes: sealed.length });
      return unseal(sealed);
    },
  };
}
