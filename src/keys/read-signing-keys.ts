import { type CryptoKey, importJWK } from 'jose';
import type { Clock } from '#src/platform/clock.js';
import { knownAlgorithms, type Publication, publicationsOf } from './known-algorithms.js';
import { missingKeys, missingRecords } from './missing-keys.js';
import type { Sealer } from './sealer.js';
import type { SigningAlgorithmsStore, StoredAlgorithm } from './signing-algorithms.store.js';
import {
  openSigningKey,
  type SigningAlgorithm,
  type SigningKey,
  type SigningKeyState,
  type StoredSigningKey,
} from './signing-key.js';
import type { SigningKeysStore } from './signing-keys.store.js';

/** The stored keys, ready for use. */
export interface UsableSigningKeys {
  readonly active: ReadonlyMap<SigningAlgorithm, SigningKey>;
  /** The algorithms whose keys are published. */
  readonly publications: ReadonlyMap<SigningAlgorithm, Publication>;
  /** The algorithm of which it was last noted that it signs by default. Earlier versions noted nothing. */
  readonly noted: SigningAlgorithm | undefined;
  /** That algorithm, or else that of the oldest active key. It signs by default until clients know the configured one. */
  readonly earlier: SigningAlgorithm;
  /** How many keys have to be created. */
  readonly missing: number;
  /** Whether records are missing too, or the keys of the configured algorithm are not published. */
  readonly isComplete: boolean;
  readonly publicKeys: ReadonlyMap<string, { alg: string; key: CryptoKey }>;
  /** Published and withheld ones, active keys first. */
  readonly stored: readonly StoredSigningKey[];
}

/** Reads the keys that have not expired, and opens the active ones. @throws Error when no master key opens an active key */
export async function readSigningKeys({
  store,
  algorithms,
  sealer,
  clock,
  algorithm: configured,
}: {
  store: SigningKeysStore;
  algorithms: SigningAlgorithmsStore;
  sealer: Sealer;
  clock: Clock;
  algorithm: SigningAlgorithm;
}): Promise<UsableSigningKeys> {
  const now = clock.now();
  const { keys: all, records } = await readStored({ store, algorithms });
  const stored = all
    .filter(({ expires }) => expires === undefined || expires > now)
    .toSorted((a, b) => stateOrder.indexOf(a.state) - stateOrder.indexOf(b.state));
  const active = stored.filter(({ state }) => state === 'active');
  const publications = publicationsOf(records, stored);
  const noted = lastNoted(records);
  const isUsable = active.some(({ alg }) => alg === noted);
  const earlier = (isUsable ? noted : oldest(active)?.alg) ?? configured;
  const { alg: usual } = knownAlgorithms(publications, { configured, earlier }, now).signing();
  // The usual key first, so that an error names it.
  const opened = active
    .toSorted((a, b) => Number(b.alg === usual) - Number(a.alg === usual))
    .map((key) => openSigningKey(key, sealer));
  const missing = missingKeys(stored).length;
  return {
    active: new Map(opened.map((key) => [key.alg, key])),
    publications,
    noted,
    earlier,
    missing,
    isComplete:
      missing === 0 && missingRecords(records).length === 0 && publications.get(configured) !== undefined,
    publicKeys: new Map(await Promise.all(stored.map(importPublicKey))),
    stored,
  };
}

/** Reads the stored keys, and the records of their algorithms. */
export async function readStored({
  store,
  algorithms,
}: {
  store: Pick<SigningKeysStore, 'all'>;
  algorithms: Pick<SigningAlgorithmsStore, 'all'>;
}): Promise<{ keys: StoredSigningKey[]; records: StoredAlgorithm[] }> {
  const [keys, records] = await Promise.all([store.all(), algorithms.all()]);
  // The first record of an algorithm is made before its first key. It may have been made after these were read.
  const lacks = missingRecords(records).some((alg) => keys.some((key) => key.alg === alg));
  return { keys, records: lacks ? await algorithms.all() : records };
}

const stateOrder: readonly SigningKeyState[] = ['active', 'next', 'retired'];

function lastNoted(records: readonly StoredAlgorithm[]): SigningAlgorithm | undefined {
  const noted = records.flatMap(({ alg, usualSince }) =>
    usualSince === undefined ? [] : [{ alg, usualSince }],
  );
  const [last] = noted.toSorted((a, b) => b.usualSince.getTime() - a.usualSince.getTime());
  return last?.alg;
}

function oldest(active: readonly StoredSigningKey[]): StoredSigningKey | undefined {
  return active.toSorted((a, b) => a.created.getTime() - b.created.getTime())[0];
}

async function importPublicKey({ kid, alg, publicJwk }: StoredSigningKey) {
  return [kid, { alg, key: (await importJWK(publicJwk, alg)) as CryptoKey }] as const;
}
