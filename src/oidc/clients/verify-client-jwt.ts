import {
  type CryptoKey,
  compactVerify,
  decodeJwt,
  decodeProtectedHeader,
  importJWK,
  type JWTPayload,
  type ProtectedHeaderParameters,
} from 'jose';
import { algorithmsOf, assertionAlgorithms, type ClientKey } from '#src/clients/credentials/index.js';

/** No useful assertion is longer. Longer ones are refused unread. */
const maxLength = 16_384;

/** The claims without any proof, only to find the keys that verify them. */
export function peekAtClaims(jwt: string): JWTPayload | undefined {
  if (jwt.length > maxLength) return undefined;
  try {
    return decodeJwt(jwt);
  } catch {
    return undefined;
  }
}

/** The header without any proof. */
export function peekAtHeader(jwt: string): ProtectedHeaderParameters | undefined {
  if (jwt.length > maxLength) return undefined;
  try {
    return decodeProtectedHeader(jwt);
  } catch {
    return undefined;
  }
}

/**
 * The claims of a JWT that one of these keys signed (RFC 7523 section 3), or undefined. The algorithm must
 * fit the key. This excludes `none` and an HMAC keyed with a public key. A `kid` names the key. Without a
 * `kid`, any key that fits is tried.
 */
export async function verifyClientJwt(
  keys: readonly ClientKey[],
  jwt: string,
  now: Date,
): Promise<JWTPayload | undefined> {
  if (jwt.length > maxLength) return undefined;
  const header = readHeader(jwt);
  if (header === undefined) return undefined;
  const { alg, kid } = header;
  for (const key of keys) {
    if (kid !== undefined && kid !== key.kid) continue;
    if (key.expires !== undefined && key.expires <= now) continue;
    if (!algorithmsOf(key.jwk).includes(alg)) continue;
    if (await isSignedBy(key, jwt, alg)) return peekAtClaims(jwt);
  }
  return undefined;
}

function readHeader(jwt: string): { alg: string; kid: string | undefined } | undefined {
  const { alg, kid, crit, b64 } = peekAtHeader(jwt) ?? {};
  // No extension is understood here. `b64` makes the signature one of another text than the claims (RFC 7797 section 7).
  if (crit !== undefined || b64 !== undefined) return undefined;
  if (alg === undefined || !assertionAlgorithms.includes(alg)) return undefined;
  if (kid !== undefined && typeof kid !== 'string') return undefined;
  return { alg, kid };
}

/** Imported keys, by the stored key object. A changed key is another object. */
const imported = new WeakMap<ClientKey, Promise<CryptoKey>>();

async function isSignedBy(key: ClientKey, jwt: string, alg: string): Promise<boolean> {
  try {
    // A key may serve several algorithms, but an imported key serves one.
    const cached = alg === algorithmsOf(key.jwk)[0] ? imported.get(key) : undefined;
    const importing = cached ?? (importJWK(key.jwk, alg) as Promise<CryptoKey>);
    if (cached === undefined && alg === algorithmsOf(key.jwk)[0]) imported.set(key, importing);
    await compactVerify(jwt, await importing, { algorithms: [alg] });
    return true;
  } catch {
    return false;
  }
}
