import type { Clock } from '#src/platform/clock.js';
import { firstCreated } from './known-algorithms.js';
import type { Sealer } from './sealer.js';
import type { SigningAlgorithmsStore, StoredAlgorithm } from './signing-algorithms.store.js';
import {
  isAlwaysPublished,
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

/** The algorithms without a record. */
export function missingRecords(records: readonly Pick<StoredAlgorithm, 'alg'>[]): SigningAlgorithm[] {
  return signingAlgorithms.filter((alg) => !records.some((record) => record.alg === alg));
}

/**
 * Creates the missing keys and records: all at the first start, and those of further algorithms after an upgrade. If several processes
 * create one, one wins. Only the first keys of the configured algorithm are stored as earlier versions stored theirs. The keys of an
 * algorithm that nobody uses are not published. RS256 is for every client (OpenID Connect Discovery section 3).
 * @param keepMs how long published keys stay published if nobody uses them
 */
export async function makeMissingKeys({
  store,
  algorithms,
  sealer,
  threads,
  clock,
  algorithm: configured,
  keepMs,
}: {
  store: SigningKeysStore;
  algorithms: SigningAlgorithmsStore;
  sealer: Sealer;
  threads: ThreadPool;
  clock: Clock;
  algorithm: SigningAlgorithm;
  keepMs: number;
}): Promise<void> {
  const stored = await store.all();
  const now = clock.now();
  const neededUntil = new Date(now.getTime() + keepMs);
  // Before the keys, so that no key is published because its record is not there yet.
  for (const alg of missingRecords(await algorithms.all())) {
    // The keys of earlier versions were published. Tokens that they signed may be valid.
    const published = firstCreated(stored, alg) ?? (isAlwaysPublished(alg) ? now : undefined);
    await algorithms.add({
      alg,
      ...(published !== undefined && { published, neededUntil }),
      ...(stored.length === 0 && alg === configured && { published: now, neededUntil, usualSince: now }),
    });
  }
  await algorithms.publish(configured, { now, neededUntil });
  const made = await Promise.all(
    missingKeys(stored).map((missing) =>
      newSigningKey({ sealer, threads, algorithm: missing.algorithm }, missing.state, now),
    ),
  );
  for (const key of made) {
    const isOnly = stored.length === 0 && key.alg === configured;
    await store.insert(key, isOnly ? 'only' : 'beside');
  }
}
