import type { EventsStore } from '#src/audit/events.store.js';
import type { Config } from '#src/config.js';
import type { Clock } from '#src/platform/clock.js';
import type { Logger } from '#src/platform/logger.js';
import type { Mongo } from '#src/platform/mongo/mongo.js';
import { createCoolDown } from '#src/platform/work/cool-down.js';
import type { SigningKeyMaintenanceDeps } from './maintain-signing-keys.js';
import { createPasswordHasher } from './password-hasher.js';
import type { Sealer } from './sealer.js';
import { createSigningAlgorithmsStore, signingAlgorithmIndexes } from './signing-algorithms.store.js';
import { createSigningKeys } from './signing-keys.js';
import { createSigningKeysStore, signingKeyIndexes } from './signing-keys.store.js';
import { createSpareKeyPairs } from './spare-key-pairs.js';
import { createThreadPool } from './thread-pool.js';

/** The collections of the room, with their indexes. */
export const keyCollections = [signingKeyIndexes, signingAlgorithmIndexes];

interface OpenKeysDeps {
  readonly config: Pick<
    Config,
    | 'threadPoolSize'
    | 'hashConcurrency'
    | 'hashQueue'
    | 'argon2MemoryKib'
    | 'argon2Passes'
    | 'signingAlgorithm'
    | 'accessTokenSeconds'
    | 'idTokenSeconds'
  >;
  readonly mongo: Mongo;
  readonly events: EventsStore;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Makes the sealer for a purpose. */
  readonly sealer: (purpose: string) => Sealer;
  /** Calls when another process changed the signing keys. */
  readonly watchSigningKeys: Parameters<typeof createSigningKeys>[0]['watch'];
  /** Whether people sign in at this process. A part of the threads is then kept for them. */
  readonly peopleSignIn: boolean;
  /** Finds the pepper of an organization, for hashes that need it. */
  readonly pepperOf: (orgId: string) => Promise<string | undefined>;
  readonly hashWaited: ((seconds: number) => void) | undefined;
  readonly workRefused: Parameters<typeof createThreadPool>[0]['refused'];
}

/** What the room offers. */
export type OpenedKeys = ReturnType<typeof openKeys>;

/**
 * Spare key pairs are made so long after the start, in milliseconds. They take half a second of a thread, and a process that has just
 * started compiles its code and fills its caches while the first requests wait.
 */
const spareAfterMs = 180_000;

/** Opens the threads, the hasher of passwords, and the signing keys. */
export function openKeys(deps: OpenKeysDeps) {
  const { config, mongo, clock, logger, peopleSignIn } = deps;
  const threads = createThreadPool({
    threads: config.threadPoolSize,
    concurrency: config.hashConcurrency,
    reserved: peopleSignIn ? 1 : 0,
    rest: peopleSignIn ? createCoolDown({ times: 3, longestMs: 1_000, crowd: 8 }) : undefined,
    queue: config.hashQueue,
    waited: deps.hashWaited,
    refused: deps.workRefused,
  });
  const passwords = createPasswordHasher({
    memoryKib: config.argon2MemoryKib,
    passes: config.argon2Passes,
    concurrency: config.hashConcurrency,
    threads,
    logger,
    pepperOf: deps.pepperOf,
  });
  const parts = {
    threads,
    pairs: createSpareKeyPairs(threads),
    store: createSigningKeysStore(mongo),
    algorithms: createSigningAlgorithmsStore(mongo),
    sealer: deps.sealer('signing-key'),
    clock,
    algorithm: config.signingAlgorithm,
    tokenSeconds: Math.max(config.accessTokenSeconds, config.idTokenSeconds),
  };
  // Administrators rotate keys at processes where people sign in.
  if (peopleSignIn) setTimeout(parts.pairs.prepare, spareAfterMs).unref();
  const signingKeys = createSigningKeys({ ...parts, watch: deps.watchSigningKeys });
  const signingKeyRotation: SigningKeyMaintenanceDeps = {
    ...parts,
    mongo,
    events: deps.events,
    signingKeys,
  };
  return { threads, passwords, signingKeys, signingKeyRotation };
}
