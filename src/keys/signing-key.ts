import { createPrivateKey, type KeyObject } from 'node:crypto';
import { exportJWK, generateKeyPair, type JWK } from 'jose';
import { newId } from '#src/platform/ids.js';
import type { Sealer } from './sealer.js';

export type SigningAlgorithm = 'RS256' | 'ES256' | 'EdDSA';

/** `next` is published and will sign, `active` signs, `retired` only verifies what it signed before. */
export type SigningKeyState = 'next' | 'active' | 'retired';

/** A key pair as it is kept: the private part is sealed. */
export interface StoredSigningKey {
  readonly kid: string;
  readonly alg: SigningAlgorithm;
  readonly state: SigningKeyState;
  readonly publicJwk: JWK;
  readonly sealedPrivateJwk: Buffer;
  /** When it was made, and published with that. */
  readonly created: Date;
  /** When it began to sign. */
  readonly activated?: Date;
  /** Of a retired key: when the last token that it signed has ended. */
  readonly expires?: Date;
}

/** A signing key as it may be told. */
export type SigningKeySummary = Omit<StoredSigningKey, 'publicJwk' | 'sealedPrivateJwk'>;

/** The key that signs now. */
export interface SigningKey {
  readonly kid: string;
  readonly alg: SigningAlgorithm;
  readonly privateKey: KeyObject;
}

/** How long clients may keep the key set, in seconds. */
export const keySetSeconds = 300;

/** Makes a key pair for signatures (RFC 7518 section 3.1, RFC 8037). */
export async function newSigningKey(
  { sealer, algorithm }: { sealer: Sealer; algorithm: SigningAlgorithm },
  state: 'next' | 'active',
  now: Date,
): Promise<StoredSigningKey> {
  // Named before it is made: identifiers then sort as keys were asked for, whichever is ready first.
  const kid = newId();
  const pair = await generateKeyPair(algorithm, { extractable: true, modulusLength: 2048 });
  return {
    kid,
    alg: algorithm,
    state,
    publicJwk: await exportJWK(pair.publicKey),
    sealedPrivateJwk: sealer.seal(Buffer.from(JSON.stringify(await exportJWK(pair.privateKey)))),
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

/** The key as it is published (RFC 7517 section 4). */
export function publishedJwk({ kid, alg, publicJwk }: StoredSigningKey): JWK {
  return { ...publicJwk, kid, alg, use: 'sig' };
}
