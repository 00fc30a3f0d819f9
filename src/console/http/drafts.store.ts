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
   * @param options `userId`: the user of the session with which the form was sent, even if the session has ended. The draft replaces
   * the former draft of this user. Drafts without a user have a bound
   * @returns the secret that finds the draft
   * @throws AppError `console.draftsFull`, without a user
   */
  put(draft: Draft, options?: { userId?: string | undefined }): Promise<string>;
  /** Returns the draft, and removes it. Undefined if it was taken or replaced, or is too old. */
  take(secret: string): Promise<Draft | undefined>;
}

const lifeMs = 3_600_000;

/** Between the name of the user and the random part, in the secret of a draft of a user. */
const dot = '.';

/** Removes the value and returns it, if it begins with ARGV[1]. */
const takeScript = `
  local found = redis.call('GET', KEYS[1])
  if not found or string.sub(found, 1, #ARGV[1]) ~= ARGV[1] then return false end
  redis.call('DEL', KEYS[1])
  return found`;

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
  /** The key of a draft, and what its value begins with. A user has one key, so the value tells which secret finds it. */
  function placeOf(secret: string): { key: string; proof: string } {
    const end = secret.indexOf(dot);
    const name = end < 0 ? hashSecret(secret) : `of:${hashSecret(secret.slice(0, end))}`;
    return { key: `${prefix}:console-draft:${name}`, proof: end < 0 ? '' : hashSecret(secret) };
  }
  return {
    async put(draft, { userId } = {}) {
      if (userId === undefined && bound.isFull())
        throw new AppError(consoleErrors.draftsFull, { retryAfterSeconds: bound.secondsLeft() });
      const secret = userId === undefined ? newSecret() : `${hashSecret(userId)}${dot}${newSecret()}`;
      const { key, proof } = placeOf(secret);
      const value = proof + sealer.seal(Buffer.from(JSON.stringify(draft))).toString('base64url');
      if (userId === undefined) bound.add({ key, valueBytes: value.length, lifeMs });
      await redis.set(key, value, 'PX', lifeMs);
      return secret;
    },
    async take(secret) {
      const { key, proof } = placeOf(secret);
      const found = (await redis.eval(takeScript, 1, key, proof)) as string | null;
      const sealed = found?.slice(proof.length);
      const plain = sealed === undefined ? undefined : sealer.unseal(Buffer.from(sealed, 'base64url'));
      return plain === undefined ? undefined : JSON.parse(plain.toString());
    },
  };
}
