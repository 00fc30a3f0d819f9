import type { Sealer } from '#src/keys/sealer.js';
import { hashSecret } from '#src/keys/secret-hash.js';
import { newSecret } from '#src/platform/ids.js';
import type { RedisConnection } from '#src/platform/redis/redis.js';

/** A form that could not be carried out before the person signed in again. */
export interface Draft {
  /** The path to which the form was posted. */
  readonly action: string;
  readonly fields: Readonly<Record<string, string | readonly string[]>>;
}

/** Forms of the console that wait for a sign-in. Redis keeps each, sealed, for an hour. */
export interface DraftsStore {
  /** @returns the secret that finds the draft */
  put(draft: Draft): Promise<string>;
  take(secret: string): Promise<Draft | undefined>;
}

const lifeMs = 3_600_000;

export function createDraftsStore({
  redis,
  prefix,
  sealer,
}: {
  redis: RedisConnection;
  prefix: string;
  sealer: Sealer;
}): DraftsStore {
  const keyOf = (secret: string) => `${prefix}:console-draft:${hashSecret(secret)}`;
  return {
    async put(draft) {
      const secret = newSecret();
      const sealed = sealer.seal(Buffer.from(JSON.stringify(draft))).toString('base64url');
      await redis.set(keyOf(secret), sealed, 'PX', lifeMs);
      return secret;
    },
    async take(secret) {
      const sealed = await redis.getdel(keyOf(secret));
      const plain = sealed === null ? undefined : sealer.unseal(Buffer.from(sealed, 'base64url'));
      return plain === undefined ? undefined : JSON.parse(plain.toString());
    },
  };
}
