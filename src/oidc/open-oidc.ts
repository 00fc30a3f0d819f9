import type { Application } from '#src/clients/applications/index.js';
import type { ServiceUsersStore } from '#src/clients/service-users/index.js';
import type { Config } from '#src/config.js';
import type { Sealer } from '#src/keys/sealer.js';
import type { Cache, Caches } from '#src/platform/redis/cache.js';
import type { RedisConnection } from '#src/platform/redis/redis.js';
import { createCodesStore } from './authorize/codes.store.js';
import { createAssertionIds } from './clients/assertion-ids.store.js';
import { loadServiceUserId } from './clients/credentials-key.js';
import { createRefusedAuthentications } from './clients/refused-authentications.js';

type OpenOidcDeps = Omit<Parameters<typeof createRefusedAuthentications>[0], 'applications'> & {
  readonly createCache: Caches['create'];
  readonly caches: { readonly applications: Cache<Application | undefined> };
  readonly serviceUsers: Pick<ServiceUsersStore, 'findByCredentials'>;
  readonly config: Config;
  readonly redis: RedisConnection;
  readonly prefix: string;
  readonly sealer: (purpose: string) => Sealer;
};

/** Opens what the OAuth endpoints keep: codes, used assertions, and the count of refused clients. */
export function openOidc(deps: OpenOidcDeps) {
  const { config, redis, prefix, clock, sealer, serviceUsers, createCache } = deps;
  const { applications } = deps.caches;
  const storeDeps = { redis, prefix, clock };
  return {
    assertionIds: createAssertionIds(storeDeps),
    refusedAuthentications: createRefusedAuthentications({ ...deps, applications }),
    caches: {
      /** Identifiers of service users, keyed by `credentialsKey`. */
      credentials: createCache({
        name: 'credentials',
        load: loadServiceUserId({ serviceUsers, applications }),
      }),
    },
    codes: createCodesStore({ ...storeDeps, ...config }),
    /** Seals the tokens from which ID tokens were exchanged. */
    originsSealer: sealer('token-origins'),
    /** Seals the forms that applications make browsers post. */
    postedSealer: sealer('posted-parameters'),
  };
}
