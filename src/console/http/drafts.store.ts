import type { Sealer } from '#src/keys/sealer.js';
import { hashSecret } from '#src/keys/secret-hash.js';
import { AppError } from '#src/platform/errors.js';
import { newSecret } from '#src/platform/ids.js';
import type { RedisConnection } from '#src/platform/redis/redis.js';
import type { StoreBound } from '#src/platform/redis/store-bound.js';
import { consoleErrors } from '../errors.js';

/** A form that could not be carried out before the person signed in again. */
export interface Draft {
  /** The path to which the form was posted. */
  readonly action: string;
  readonly fields: Readonly<Record<string, string | readonly string[]>>;
}

/** Forms of the console that wait for a sign-in. Redis keeps each, sealed, for an hour. */
export interface DraftsStore {
  /**
   * @param options `signedIn`: whether the person is, or was until the session ended. Drafts of others have a bound
   * @returns the secret that finds the draft
   * @throws AppError `console.draftsFull`
   */
  put(draft: Draft, options: { signedIn: boolean }): Promise<string>;
  take(secret: string): Promise<Draft | undefined>;
}

const lifeMs = 3_600_000;

export function createDraftsStore({
  redis,
  prefix,
  sealer,
  bound,
}: {
  redis: RedisConnection;
  prefix: string;
  sealer: Sealer;
  bound: StoreBound;
}): DraftsStore {
  const keyOf = (secret: string) => `${prefix}:console-draft:${hashSecret(secret)}`;
  return {
    async put(draft, { signedIn }) {
      if (!signedIn && bound.isFull())
        throw new AppError(consoleErrors.draftsFull, { retryAfterSeconds: bound.secondsLeft() });
      const secret = newSecret();
      const sealed = sealer.seal(Buffer.from(JSON.stringify(draft))).toString('base64url');
      const key = keyOf(secret);
      if (!signedIn) bound.add({ key, valueBytes: sealed.length, lifeMs });
      await redis.set(key, sealed, 'PX', lifeMs);
      return secret;
    },
    async take(secret) {
      const sealed = await redis.getdel(keyOf(secret));
      const plain = sealed === null ? undefined : sealer.unseal(Buffer.from(sealed, 'base64url'));
      return plain === undefined ? undefined : JSON.parse(plain.toString());
    },
  };
}
