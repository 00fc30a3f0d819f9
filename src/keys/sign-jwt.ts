import { sign } from 'node:crypto';
import type { SigningAlgorithm, SigningKey } from './signing-key.js';
import type { ThreadPool } from './thread-pool.js';

/** Ed25519 hashes internally. */
const digests: Record<SigningAlgorithm, string | null> = { RS256: 'sha256', ES256: 'sha256', EdDSA: null };

/**
 * Signs claims as a JWT (RFC 7515 section 7.1), in a thread outside of the event loop. It takes less CPU time
 * than Web Crypto.
 * @param signer `holder`: the organization for which the token is made
 * @param typ the media type in the header
 * @param claims undefined values are left out
 * @throws AppError `keys.threadsSaturated`
 */
export function signJwt(
  { threads, key, holder }: { threads: ThreadPool; key: SigningKey; holder: string },
  typ: string,
  claims: Readonly<Record<string, unknown>>,
): Promise<string> {
  return threads.run('short', holder, () => signInThread(key, typ, claims));
}

function signInThread(
  { kid, alg, privateKey }: SigningKey,
  typ: string,
  claims: Readonly<Record<string, unknown>>,
): Promise<string> {
  const input = `${encode({ alg, kid, typ })}.${encode(claims)}`;
  return new Promise((resolve, reject) => {
    // ES256 has another encoding (RFC 7518 section 3.4) than that of Node.js. For the others the bare key is enough. It is faster, as key-object.ts says.
    const key = alg === 'ES256' ? ({ key: privateKey, dsaEncoding: 'ieee-p1363' } as const) : privateKey;
    sign(digests[alg], Buffer.from(input), key, (error, signature) => {
      if (error) reject(error);
      else resolve(`${input}.${signature.toString('base64url')}`);
    });
  });
}

function encode(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url');
}
