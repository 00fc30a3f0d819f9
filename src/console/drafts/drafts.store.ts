import type { Sealer } from '#src/keys/sealer.js';
import { hashSecret, matchesSecretHash } from '#src/keys/secret-hash.js';
import { newSecret } from '#src/platform/ids.js';
import type { RedisConnection } from '#src/platform/redis/redis.js';

/** A form that could not be carried out before its person signed in again. */
export interface Draft {
  /** The path to which the form was posted, without a query. */
  readonly action: string;
  /** What was typed, by the names of the fields. Undefined if the person fills in the form once more. */
  readonly typed?: Readonly<Record<string, readonly string[]>>;
}

/** Forms of the console that wait for a sign-in. Redis keeps one of each person, sealed. */
export interface DraftsStore {
  /**
   * Keeps the draft instead of the former one of this person.
   * @param userId of the session with which the form was sent
   * @returns the secret for the browser that sent the form
   */
  put(userId: string, draft: Draft): Promise<string>;
  /** The draft of this person and of the browser with this secret. It is found once. */
  take(userId: string, secret: string): Promise<Draft | undefined>;
}

/** For how long a draft waits, in seconds: long enough for a sign-in with a second factor. */
export const draftSeconds = 900;

/** A draft as Redis has it, unsealed. */
interface StoredDraft {
  readonly secretHash: string;
  readonly draft: Draft;
}

/** Removes the value if it is still the same. Returns 1 for the one caller that did. */
const removeScript = `
  if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
  return redis.call('DEL', KEYS[1])`;

/** Opens the store of forms that wait for a sign-in. */
export function createDraftsStore({
  redis,
  prefix,
  sealer,
}: {
  redis: RedisConnection;
  prefix: string;
  sealer: Sealer;
}): DraftsStore {
  const keyOf = (userId: string) => `${prefix}:console-draft:${hashSecret(userId)}`;
  return {
    async put(userId, draft) {
      const secret = newSecret();
      const stored: StoredDraft = { secretHash: hashSecret(secret), draft };
      const value = sealer.seal(Buffer.from(JSON.stringify(stored))).toString('base64url');
      await redis.set(keyOf(userId), value, 'EX', draftSeconds);
      return secret;
    },
    async take(userId, secret) {
      const key = keyOf(userId);
      const found = await redis.get(key);
      const plain = found === null ? undefined : sealer.unseal(Buffer.from(found, 'base64url'));
      if (found === null || plain === undefined) return undefined;
      const { secretHash, draft } = JSON.parse(plain.toString()) as StoredDraft;
      if (!matchesSecretHash(secret, secretHash)) return undefined;
      return (await redis.eval(removeScript, 1, key, found)) === 1 ? draft : undefined;
    },
  };
}
