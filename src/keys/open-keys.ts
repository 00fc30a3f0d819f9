import type { EventsStore } from '#src/audit/events.store.js';
import type { Config } from '#src/config.js';
import type { Clock } from '#src/platform/clock.js';
import type { Logger } from '#src/platform/logger.js';
import type { Mongo } from '#src/platform/mongo/mongo.js';
import { createCoolDown } from '#src/platform/work/cool-down.js';
import { createPasswordHasher } from './password-hasher.js';
import type { RotateSigningKeysDeps } from './rotate-signing-keys.js';
import type { Sealer } from './sealer.js';
import { createSigningKeys } from './signing-keys.js';
import { createSigningKeysStore, signingKeyIndexes } from './signing-keys.store.js';
import { createThreadPool } from './thread-pool.js';

/** The collections of the room, with their indexes. */
export const keyCollections = [signingKeyIndexes];

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
  readonly hashWaited: ((seconds: number) => void) | undefined;
  readonly workRefused: Parameters<typeof createThreadPool>[0]['refused'];
}

/** What the room offers. */
export type OpenedKeys = ReturnType<typeof openKeys>;

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
  });
  const parts = {
    threads,
    store: createSigningKeysStore(mongo),
    sealer: deps.sealer('signing-key'),
    clock,
    algorithm: config.signingAlgorithm,
  };
  const signingKeys = createSigningKeys({ ...parts, watch: deps.watchSigningKeys });
  const signingKeyRotation: RotateSigningKeysDeps = {
    ...parts,
    mongo,
    events: deps.events,
    signingKeys,
    tokenSeconds: Math.max(config.accessTokenSeconds, config.idTokenSeconds),
  };
  return { threads, passwords, signingKeys, signingKeyRotation };
}
