import type { Config } from '#src/config.js';
import { createFingerprints } from '#src/keys/fingerprints.js';
import { createSealer, parseMasterKeys } from '#src/keys/sealer.js';
import type { Observer } from '#src/observe/observer.js';
import { type Clock, systemClock } from '#src/platform/clock.js';
import type { Logger } from '#src/platform/logger.js';
import { openPlatform } from '#src/platform/open/open-platform.js';
import { createStoreBound } from '#src/platform/redis/store-bound.js';
import { collections } from './collections.js';

export interface GroundOptions {
  readonly logger: Logger;
  readonly clock?: Clock;
  readonly observer?: Pick<Observer, 'measures' | 'tracing'>;
  /** Certificates in the PEM format that requests to outside issuers and migration hooks trust, instead of those of Node.js. */
  readonly outgoingCa?: string | undefined;
}

/**
 * Connects a process to its stores, and makes what the rooms are opened with.
 * @returns `ground` is for everybody, `inside` for rooms alone
 */
export async function openGround(
  config: Config,
  { logger, clock = systemClock, observer = {}, outgoingCa }: GroundOptions,
) {
  const { measures, tracing } = observer;
  const platform = await openPlatform({
    ...{ config, logger, tracing, indexes: collections },
    connectionTaken: measures?.mongoConnectionTaken,
    transactionRefused: measures && (() => measures.workShed('change')),
  });
  const { mongo, redis, caches } = platform;
  const masterKeys = parseMasterKeys(config.masterKeys);
  const ground = { config, logger, clock, measures, tracing, mongo, redis };
  const prefix = config.redisPrefix;
  const maxBytes = (config.anonymousStoreMib * 1024 ** 2) / 3;
  const boundOf = (name: string) => createStoreBound({ ...ground, prefix, name, maxBytes });
  const bounds = { attempts: boundOf('attempts'), forms: boundOf('forms'), addresses: boundOf('addresses') };
  return {
    ground,
    inside: {
      prefix,
      sealer: (purpose: string) => createSealer(masterKeys, purpose),
      createCache: caches.create,
      outgoingCa,
      bounds,
    },
    watchSigningKeys: (stale: () => void) => caches.watch('signingKeys', stale),
    hashFingerprints: createFingerprints(masterKeys, 'imported-password'),
    async close(): Promise<void> {
      for (const bound of Object.values(bounds)) bound.close();
      await platform.close();
    },
  };
}
