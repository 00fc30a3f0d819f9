import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { Sealer } from '#src/keys/sealer.js';
import { hashSecret, matchesSecretHash } from '#src/keys/secret-hash.js';
import { newSecret } from '#src/platform/ids.js';
import type { RedisConnection } from '#src/platform/redis/redis.js';

/** A page that says why its form was refused. */
interface RefusedPage {
  /** The path of the page. */
  readonly path: string;
  readonly status: number;
  readonly imageSources: readonly string[];
  readonly text: string;
}

/** Pages of the console that say why a form was refused. Redis keeps one of each owner, sealed: a person with its roles, in one session. */
export interface RefusedPagesStore {
  /**
   * Keeps the page instead of the former one of this owner.
   * @returns the secret with which it is found
   */
  put(owner: string, page: RefusedPage): Promise<string>;
  /** The page of this owner with this secret, as often as it is asked for. */
  find(owner: string, secret: string): Promise<RefusedPage | undefined>;
}

/** For how long a page can be loaded again, in seconds. */
const keptSeconds = 900;

/** The longest text of a page, in characters. Pages are far shorter. */
export const longestRefusedPage = 500_000;

/** Opens the store of pages that say why a form was refused. */
export function createRefusedPagesStore({
  redis,
  prefix,
  sealer,
}: {
  redis: RedisConnection;
  prefix: string;
  sealer: Sealer;
}): RefusedPagesStore {
  const keyOf = (owner: string) => `${prefix}:console-refused:${hashSecret(owner)}`;
  return {
    async put(owner, page) {
      const secret = newSecret();
      const stored = deflateRawSync(JSON.stringify({ secretHash: hashSecret(secret), page }));
      await redis.set(keyOf(owner), sealer.seal(stored).toString('base64'), 'EX', keptSeconds);
      return secret;
    },
    async find(owner, secret) {
      const found = await redis.get(keyOf(owner));
      const plain = found === null ? undefined : sealer.unseal(Buffer.from(found, 'base64'));
      if (plain === undefined) return undefined;
      const { secretHash, page } = JSON.parse(inflateRawSync(plain).toString());
      return matchesSecretHash(secret, secretHash) ? page : undefined;
    },
  };
}
