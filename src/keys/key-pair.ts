import { exportJWK, generateKeyPair, type JWK } from 'jose';
import type { ThreadPool, ThreadWork } from './thread-pool.js';

/** The algorithms of the key pairs that this service makes (RFC 7518 section 3.1, RFC 8037). */
export type KeyPairAlgorithm = 'RS256' | 'ES256' | 'EdDSA';

/** A new key pair. The private part must not be stored unsealed. */
export interface KeyPair {
  readonly publicJwk: JWK;
  readonly privateJwk: JWK;
}

/**
 * Makes a key pair for signatures, RSA of 2048 bits for RS256. That takes 0.05 to 1 s of a thread. The others take less than 1 ms.
 * @param wanted `kind`: the queue in which RSA waits. `holder`: the organization for which the pair is made
 * @throws AppError `keys.keyPairsSaturated`
 */
export async function newKeyPair(
  threads: ThreadPool,
  {
    algorithm,
    kind,
    holder,
  }: { algorithm: KeyPairAlgorithm; kind: ThreadWork & ('key pair' | 'signing key'); holder?: string },
): Promise<KeyPair> {
  const pair = await threads.run(algorithm === 'RS256' ? kind : 'short', holder, () =>
    generateKeyPair(algorithm, { extractable: true, modulusLength: 2048 }),
  );
  return { publicJwk: await exportJWK(pair.publicKey), privateJwk: await exportJWK(pair.privateKey) };
}
