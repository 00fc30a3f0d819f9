import { createPrivateKey, type KeyObject } from 'node:crypto';
import type { JWK } from 'jose';
import { newId } from '#src/platform/ids.js';
import { newKeyPair } from './key-pair.js';
import type { Sealer } from './sealer.js';
import type { SpareKeyPairs } from './spare-key-pairs.js';
import type { ThreadPool } from './thread-pool.js';

/** The algorithms that sign tokens. Each has keys of its own. RS256 is required (OpenID Connect Discovery section 3). */
export const signingAlgorithms = ['RS256', 'ES256', 'EdDSA'] as const;

export type SigningAlgorithm = (typeof signingAlgorithms)[number];

/** Whether the keys of an algorithm are published although nobody uses them. RS256 is for every client. */
export function isAlwaysPublished(alg: SigningAlgorithm): boolean {
  return alg === 'RS256';
}

/**
 * Each algorithm has a `next` key, which is published and will sign, and an `active` key, which signs. A `retired` key only
 * verifies its earlier signatures.
 */
export type SigningKeyState = 'next' | 'active' | 'retired';

/** A stored key pair, with a sealed private key. */
export interface StoredSigningKey {
  readonly kid: string;
  readonly alg: SigningAlgorithm;
  readonly state: SigningKeyState;
  readonly publicJwk: JWK;
  readonly sealedPrivateJwk: Buffer;
  /** When the key was created and published. */
  readonly created: Date;
  /** When the key began to sign. */
  readonly activated?: Date;
  /** For a retired key: when its last token has expired. */
  readonly expires?: Date;
}

/** A signing key without key material, for administrators. */
export interface SigningKeySummary extends Omit<StoredSigningKey, 'publicJwk' | 'sealedPrivateJwk'> {
  /** When it was published. Absent if it is not. */
  readonly published?: Date;
}

/** A key that can sign. */
export interface SigningKey {
  readonly kid: string;
  readonly alg: SigningAlgorithm;
  readonly privateKey: KeyObject;
}

/** How long clients may cache the key set, in seconds. */
export const keySetSeconds = 300;

/** Processes read the keys again after this time in milliseconds, in case a message is lost. */
export const keyMemoryMs = 60_000;

/** For this time in milliseconds, clients and processes may not know a new key, or may still sign with the former one. */
export const spreadMs = keySetSeconds * 1000 + keyMemoryMs;

/** Creates a key pair for signatures (RFC 7518 section 3.1, RFC 8037). @param from `pairs`: those that may be used */
export async function newSigningKey(
  {
    sealer,
    threads,
    algorithm,
    pairs,
  }: { sealer: Sealer; threads: ThreadPool; algorithm: SigningAlgorithm; pairs?: SpareKeyPairs },
  state: 'next' | 'active',
  now: Date,
): Promise<StoredSigningKey> {
  // The identifier is made before the key, so that identifiers sort in the order of the requests.
  const kid = newId();
  const pair = pairs
    ? await pairs.take(algorithm)
    : await newKeyPair(threads, { algorithm, kind: 'signing key' });
  return {
    kid,
    alg: algorithm,
    state,
    publicJwk: pair.publicJwk,
    sealedPrivateJwk: sealer.seal(Buffer.from(JSON.stringify(pair.privateJwk))),
    created: now,
    ...(state === 'active' && { activated: now }),
  };
}

/** @throws Error when none of the master keys sealed it */
export function openSigningKey({ kid, alg, sealedPrivateJwk }: StoredSigningKey, sealer: Sealer): SigningKey {
  const opened = sealer.unseal(sealedPrivateJwk);
  if (opened === undefined) throw new Error(`No master key opens signing key ${kid}`);
  return { kid, alg, privateKey: createPrivateKey({ key: JSON.parse(opened.toString()), format: 'jwk' }) };
}

/** The published form of the key (RFC 7517 section 4). */
export function publishedJwk({ kid, alg, publicJwk }: StoredSigningKey): JWK {
  return { ...publicJwk, kid, alg, use: 'sig' };
}
