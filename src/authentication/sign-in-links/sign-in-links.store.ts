import { hashSecret } from '#src/keys/secret-hash.js';
import type { RedisConnection } from '#src/platform/redis/redis.js';

/** A link that was mailed to a person who wants to sign in. */
export interface SignInLink {
  readonly orgId: string;
  readonly userId: string;
  /** The address that got the link. */
  readonly email: string;
  /** The hash of the browser that asked for it. */
  readonly agentHash: string;
  /** The flow of the authorization request that waits, or ''. */
  readonly flow: string;
  /** Whether the person asked for the account page. */
  readonly toAccount: boolean;
  /** The stamp of the person's credentials at that time. */
  readonly credentialsStamp: string;
}

/** Links that were mailed, under the hash of their secret. Redis keeps each for 15 minutes. */
export interface SignInLinksStore {
  put(secret: string, link: SignInLink): Promise<void>;
  find(secret: string): Promise<SignInLink | undefined>;
  /** Removes the link. If several callers do so, one gets it. */
  take(secret: string): Promise<SignInLink | undefined>;
}

const lifeMs = 15 * 60_000;
/** No secret that this service makes is longer. */
const maxLength = 100;

const takeScript = `
  local found = redis.call('GET', KEYS[1])
  redis.call('DEL', KEYS[1])
  return found`;

/** Opens the store of mailed links. */
export function createSignInLinksStore({
  redis,
  prefix,
}: {
  redis: RedisConnection;
  prefix: string;
}): SignInLinksStore {
  const keyOf = (secret: string) => `${prefix}:sign-in-link:${hashSecret(secret)}`;
  const read = (text: unknown): SignInLink | undefined =>
    typeof text === 'string' ? JSON.parse(text) : undefined;
  return {
    async put(secret, link) {
      await redis.set(keyOf(secret), JSON.stringify(link), 'PX', lifeMs);
    },
    find: async (secret) => (secret.length > maxLength ? undefined : read(await redis.get(keyOf(secret)))),
    take: async (secret) =>
      secret.length > maxLength ? undefined : read(await redis.eval(takeScript, 1, keyOf(secret))),
  };
}
