import type { Clock } from '#src/platform/clock.js';
import type { Sealer } from './sealer.js';
import {
  newSigningKey,
  type SigningAlgorithm,
  type StoredSigningKey,
  signingAlgorithms,
} from './signing-key.js';
import type { SigningKeysStore } from './signing-keys.store.js';
import type { ThreadPool } from './thread-pool.js';

interface MissingKey {
  readonly algorithm: SigningAlgorithm;
  readonly state: 'active' | 'next';
}

/** The keys that are not there: each algorithm has an active and a next key. */
export function missingKeys(stored: readonly Pick<StoredSigningKey, 'alg' | 'state'>[]): MissingKey[] {
  return signingAlgorithms
    .flatMap((algorithm) => (['active', 'next'] as const).map((state) => ({ algorithm, state })))
    .filter(({ algorithm, state }) => !stored.some((key) => key.alg === algorithm && key.state === state));
}

/**
 * Creates the missing keys: all at the first start, and those of further algorithms after an upgrade. If several processes create
 * a key, one wins. Only the first keys of the configured algorithm are stored as earlier versions stored theirs.
 */
export async function makeMissingKeys({
  store,
  sealer,
  threads,
  clock,
  algorithm,
}: {
  store: SigningKeysStore;
  sealer: Sealer;
  threads: ThreadPool;
  clock: Clock;
  algorithm: SigningAlgorithm;
}): Promise<void> {
  const stored = await store.all();
  const now = clock.now();
  const made = await Promise.all(
    missingKeys(stored).map((missing) =>
      newSigningKey({ sealer, threads, algorithm: missing.algorithm }, missing.state, now),
    ),
  );
  for (const key of made) {
    const isOnly = stored.length === 0 && key.alg === algorithm;
    await store.insert(key, isOnly ? 'only' : 'beside');
  }
}
