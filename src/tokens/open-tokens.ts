import type { Sealer } from '#src/keys/sealer.js';
import type { SigningKeys } from '#src/keys/signing-keys.js';
import type { ThreadPool } from '#src/keys/thread-pool.js';
import type { Clock } from '#src/platform/clock.js';
import type { Logger } from '#src/platform/logger.js';
import type { Mongo } from '#src/platform/mongo/mongo.js';
import type { RedisConnection } from '#src/platform/redis/redis.js';
import { createAccessTokens } from './access-token.js';
import { createRefreshTokens } from './refresh-tokens.js';
import { createRefreshTokensStore, refreshTokenIndexes } from './refresh-tokens.store.js';
import { createRememberedBrowsersStore, rememberedBrowserIndexes } from './remembered-browsers.store.js';
import { createRevocationList } from './revocation.js';
import { createRevocationsStore, revocationIndexes } from './revocations.store.js';

/** The collections of the room, with their indexes. */
export const tokenCollections = [refreshTokenIndexes, rememberedBrowserIndexes, revocationIndexes];

interface OpenTokensDeps {
  readonly config: Parameters<typeof createRefreshTokens>[0]['config'] & {
    readonly baseUrl: string;
    readonly redisPrefix: string;
  };
  readonly mongo: Mongo;
  readonly redis: RedisConnection;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly sealer: (purpose: string) => Sealer;
  readonly signingKeys: SigningKeys;
  readonly threads: ThreadPool;
  readonly livesOf: Parameters<typeof createRefreshTokens>[0]['livesOf'];
}

/** What the room offers. */
export type OpenedTokens = ReturnType<typeof openTokens>;

/** Opens access tokens, refresh tokens, remembered browsers and the list of what was revoked. */
export function openTokens({
  config,
  mongo,
  redis,
  clock,
  logger,
  sealer,
  signingKeys,
  threads,
  livesOf,
}: OpenTokensDeps) {
  const revocations = createRevocationList({
    redis,
    store: createRevocationsStore(mongo),
    logger,
    prefix: config.redisPrefix,
  });
  const rememberedBrowsers = createRememberedBrowsersStore(mongo);
  return {
    revocations,
    rememberedBrowsers,
    accessTokens: createAccessTokens({
      sealer: sealer('access-token'),
      signingKeys,
      threads,
      issuer: config.baseUrl,
    }),
    refreshTokens: createRefreshTokens({
      store: createRefreshTokensStore(mongo),
      rememberedBrowsers,
      sealer: sealer('refresh-token'),
      revocations,
      clock,
      livesOf,
      config,
    }),
  };
}
