import { type CryptoKey, importJWK, type JWK } from 'jose';
import type { Clock } from '#src/platform/clock.js';
import { missingKeys } from './missing-keys.js';
import type { Sealer } from './sealer.js';
import {
  keyMemoryMs,
  openSigningKey,
  publishedJwk,
  type SigningAlgorithm,
  type SigningKey,
  type StoredSigningKey,
  spreadMs,
} from './signing-key.js';
import type { SigningKeysStore } from './signing-keys.store.js';

/** The stored keys, ready for use. */
export interface UsableSigningKeys {
  /** The key that signs by default. */
  readonly usual: SigningKey | undefined;
  readonly active: ReadonlyMap<SigningAlgorithm, SigningKey>;
  /** How many keys have to be created. */
  readonly missing: number;
  readonly publicKeys: ReadonlyMap<string, { alg: string; key: CryptoKey }>;
  readonly jwks: readonly JWK[];
}

/** Reads the keys that have not expired, and opens the active ones. @throws Error when no master key opens an active key */
export async function readSigningKeys({
  store,
  sealer,
  clock,
  algorithm,
}: {
  store: SigningKeysStore;
  sealer: Sealer;
  clock: Clock;
  algorithm: SigningAlgorithm;
}): Promise<UsableSigningKeys> {
  const time = clock.now();
  const stored = (await store.all()).filter(({ expires }) => expires === undefined || expires > time);
  const active = stored.filter(({ state }) => state === 'active');
  const usual = usualOf(active, algorithm, time);
  // The usual key first, so that an error names it.
  const opened = [...(usual ? [usual] : []), ...active].map((key) => openSigningKey(key, sealer));
  return {
    usual: opened[0],
    active: new Map(opened.map((key) => [key.alg, key])),
    missing: missingKeys(stored).length,
    publicKeys: new Map(await Promise.all(stored.map(importPublicKey))),
    jwks: stored.map(publishedJwk),
  };
}

/**
 * The active key of the configured algorithm. If it was added to an instance that signs already, the oldest active key signs
 * until clients can know the added one. A forced rotation replaces a key at once.
 */
function usualOf(
  active: readonly StoredSigningKey[],
  algorithm: SigningAlgorithm,
  now: Date,
): StoredSigningKey | undefined {
  const [oldest] = active.toSorted((a, b) => a.created.getTime() - b.created.getTime());
  const wanted = active.find(({ alg }) => alg === algorithm);
  if (wanted === undefined || oldest === undefined) return oldest;
  const created = wanted.created.getTime();
  const wasAdded =
    wanted.activated?.getTime() === created && created - oldest.created.getTime() > keyMemoryMs;
  return wasAdded && now.getTime() < created + spreadMs ? oldest : wanted;
}

async function importPublicKey({ kid, alg, publicJwk }: StoredSigningKey) {
  return [kid, { alg, key: (await importJWK(publicJwk, alg)) as CryptoKey }] as const;
}
