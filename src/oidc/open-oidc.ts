import type { Config } from '#src/config.js';
import type { Sealer } from '#src/keys/sealer.js';
import type { RedisConnection } from '#src/platform/redis/redis.js';
import { createCodesStore } from './authorize/codes.store.js';
import { createAssertionIds } from './clients/assertion-ids.store.js';
import { createRefusedAuthentications } from './clients/refused-authentications.js';

type OpenOidcDeps = Parameters<typeof createRefusedAuthentications>[0] & {
  readonly config: Config;
  readonly redis: RedisConnection;
  readonly prefix: string;
  readonly sealer: (purpose: string) => Sealer;
};

/** Opens what the OAuth endpoints keep: codes, used assertions, and the count of refused clients. */
export function openOidc(deps: OpenOidcDeps) {
  const { config, redis, prefix, clock, sealer } = deps;
  const kept = { redis, prefix, clock };
  return {
    assertionIds: createAssertionIds(kept),
    refusedAuthentications: createRefusedAuthentications(deps),
    codes: createCodesStore({ ...kept, ...config }),
    /** Seals the tokens from which ID tokens were exchanged. */
    originsSealer: sealer('token-origins'),
    /** Seals the forms that applications make browsers post. */
    postedSealer: sealer('posted-parameters'),
  };
}
