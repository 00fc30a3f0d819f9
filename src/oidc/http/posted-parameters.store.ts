import type { Sealer } from '#src/keys/sealer.js';
import { hashSecret } from '#src/keys/secret-hash.js';
import type { RedisConnection } from '#src/platform/redis/redis.js';

/** Names and values of a form. A repeated name has all its values. */
export type FormParameters = Readonly<Record<string, string | readonly string[]>>;

/**
 * Posted parameters, until the browser asks for them with the secret in the redirect. Redis knows the secret
 * only by its hash. The parameters are sealed, because they may say who a person is.
 */
export interface PostedParameters {
  put(secret: string, parameters: FormParameters): Promise<void>;
  /** After the first read they stay for one more minute, for a person who reloads. */
  read(secret: string): Promise<FormParameters | undefined>;
}

/** How long posted parameters are kept. */
export const postedSeconds = 600;
const againMs = 60_000;

const readScript = `
  local found = redis.call('GET', KEYS[1])
  if found and redis.call('PTTL', KEYS[1]) > tonumber(ARGV[1]) then redis.call('PEXPIRE', KEYS[1], ARGV[1]) end
  return found`;

export function createPostedParameters(deps: {
  redis: RedisConnection;
  prefix: string;
  /** With a purpose of its own. */
  sealer: Sealer;
}): PostedParameters {
  const { redis, prefix, sealer } = deps;
  const keyOf = (secret: string) => `${prefix}:posted:${hashSecret(secret)}`;
  return {
    async put(secret, parameters) {
      const sealed = sealer.seal(Buffer.from(JSON.stringify(parameters))).toString('base64');
      await redis.set(keyOf(secret), sealed, 'EX', postedSeconds);
    },
    async read(secret) {
      const sealed = (await redis.eval(readScript, 1, keyOf(secret), againMs)) as string | null;
      const text = sealed === null ? undefined : sealer.unseal(Buffer.from(sealed, 'base64'))?.toString();
      return text === undefined ? undefined : JSON.parse(text);
    },
  };
}
