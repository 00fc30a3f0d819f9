import type { Clock } from '#src/platform/clock.js';
import { createSingleFlight } from '#src/platform/work/single-flight.js';
import { makeMissingKeys } from './missing-keys.js';
import { readSigningKeys, type UsableSigningKeys } from './read-signing-keys.js';
import type { Sealer } from './sealer.js';
import type { SigningAlgorithmsStore } from './signing-algorithms.store.js';
import { type SigningAlgorithm, spreadMs } from './signing-key.js';
import { createSigningKeyMemory } from './signing-key-memory.js';
import type { SigningKeysStore } from './signing-keys.store.js';
import type { ThreadPool } from './thread-pool.js';

export interface LoadSigningKeysDeps {
  readonly store: SigningKeysStore;
  readonly algorithms: SigningAlgorithmsStore;
  readonly sealer: Sealer;
  readonly threads: ThreadPool;
  readonly clock: Clock;
  /** The algorithm of tokens for which nobody chose another. */
  readonly algorithm: SigningAlgorithm;
  /** The longest life of a signed token, in seconds. */
  readonly tokenSeconds: number;
  /**
   * Calls back when another process changed the keys. It returns a function that tells the other processes of
   * a change.
   */
  readonly watch: (stale: () => void) => () => Promise<void>;
}

/** The signing keys of this process. */
export interface LoadedSigningKeys {
  /** The keys in memory, or in the store. */
  load(): Promise<UsableSigningKeys>;
  /** The same. If some are missing, one call creates them for all callers. If they cannot be created, the others serve. */
  ensure(): Promise<UsableSigningKeys>;
  /** See {@link createSigningKeyMemory}. */
  forgetUnlessPaused(): boolean;
  /** Makes this process read the keys again. */
  stale(): void;
  /** Makes this and every other process read the keys again. */
  changed(): Promise<void>;
}

/** How long keys are published that sign now, in milliseconds. */
export function publicationMs({ tokenSeconds }: Pick<LoadSigningKeysDeps, 'tokenSeconds'>) {
  const live = tokenSeconds * 1000 + spreadMs;
  // For longer than a token lives, so that few signatures have to prolong it.
  return { live, published: live + 3_600_000 };
}

export function loadSigningKeys(deps: LoadSigningKeysDeps): LoadedSigningKeys {
  const memory = createSigningKeyMemory(deps.clock, () => readSigningKeys(deps));
  const tellOthers = deps.watch(memory.stale);
  const makeOnce = createSingleFlight<'missing', void>();

  async function changed(): Promise<void> {
    memory.stale();
    await tellOthers();
  }

  /** If several processes create them, one wins. */
  async function make(): Promise<void> {
    await makeMissingKeys({ ...deps, keepMs: publicationMs(deps).published });
    await changed();
  }

  return {
    load: memory.load,
    async ensure() {
      const found = await memory.load();
      if (found.isComplete) return found;
      try {
        await makeOnce('missing', make);
      } catch (error) {
        if (found.active.size === 0) throw error;
      }
      return memory.load();
    },
    forgetUnlessPaused: memory.forgetUnlessPaused,
    stale: memory.stale,
    changed,
  };
}
