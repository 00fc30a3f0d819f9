import type { EventsStore } from '#src/audit/events.store.js';
import type { Config } from '#src/config.js';
import type { Organization } from '#src/directory/index.js';
import type { Sealer } from '#src/keys/sealer.js';
import type { Clock } from '#src/platform/clock.js';
import type { Logger } from '#src/platform/logger.js';
import type { Mongo } from '#src/platform/mongo/mongo.js';
import { createFetchJson } from '#src/platform/outgoing/fetch-json.js';
import type { Cache } from '#src/platform/redis/cache.js';
import type { RedisConnection } from '#src/platform/redis/redis.js';
import type { StoreBound } from '#src/platform/redis/store-bound.js';
import { createCodeAttempts } from '../code-attempts.store.js';
import { createPendingEmailsStore } from '../email-change/index.js';
import { createLoginAttempts } from '../login-attempts.store.js';
import { createMigrationHooks } from '../migration-hook/migration-hooks.js';
import { createPasskeyChallenges, createRelyingPartyStore } from '../passkeys/index.js';
import { createFindPepper } from '../password-pepper/find-pepper.js';
import { createSignInLinksStore } from '../sign-in-links/index.js';

interface OpenAuthenticationDeps {
  readonly config: Pick<Config, 'loginLockSeconds' | 'privateHookHosts'>;
  readonly mongo: Mongo;
  readonly redis: RedisConnection;
  readonly prefix: string;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly events: EventsStore;
  readonly sealer: (purpose: string) => Sealer;
  readonly caches: { readonly organizations: Cache<Organization | undefined> };
  /** Bounds of what people store in Redis before anybody knows them. */
  readonly bounds: { readonly attempts: StoreBound; readonly forms: StoreBound };
  /** Certificates in the PEM format that migration hooks may have, instead of those that Node.js trusts. */
  readonly outgoingCa: string | undefined;
}

const daySeconds = 24 * 3600;

/** What the room offers. */
export type OpenedAuthentication = ReturnType<typeof openAuthentication>;

/** Opens the limits of attempts, the migration hooks, the peppers, and the addresses that wait for their confirmation. */
export function openAuthentication(deps: OpenAuthenticationDeps) {
  const { config, redis, prefix, clock, logger, events, sealer, bounds, outgoingCa } = deps;
  const redisDeps = { redis, prefix, clock };
  const lockSeconds = config.loginLockSeconds;
  const hookSealer = sealer('migration-hook');
  const pepperSealer = sealer('password-pepper');
  return {
    totpSealer: sealer('totp'),
    loginAttempts: createLoginAttempts({
      ...redisDeps,
      lockSeconds,
      bounds: { signIns: bounds.attempts, forms: bounds.forms },
    }),
    dailyMails: createLoginAttempts({
      ...redisDeps,
      lockSeconds: daySeconds,
      bounds: { signIns: bounds.attempts, forms: bounds.forms },
    }),
    codeAttempts: createCodeAttempts({ ...redisDeps, lockSeconds }),
    pendingEmails: createPendingEmailsStore(redisDeps),
    signInLinks: createSignInLinksStore(redisDeps),
    mailCodes: createPendingEmailsStore({ ...redisDeps, kind: 'mailCode' }),
    passkeyChallenges: createPasskeyChallenges({ ...redisDeps, sealer: sealer('passkey-challenge') }),
    relyingParty: createRelyingPartyStore(deps.mongo),
    hookSealer,
    pepperSealer,
    findPepper: createFindPepper({ caches: deps.caches, pepperSealer, logger }),
    migrationHooks: createMigrationHooks({
      fetchJson: createFetchJson({ privateHosts: config.privateHookHosts.split(/, */), ca: outgoingCa }),
      hookSealer,
      events,
      clock,
      logger,
    }),
  };
}
