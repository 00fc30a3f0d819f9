import { createHash, timingSafeEqual } from 'node:crypto';
import { type CryptoKey, compactVerify, decodeProtectedHeader, importJWK } from 'jose';
import { algorithmsOf, type ClientKey, type IssuerKeys } from '#src/clients/credentials/index.js';
import { AppError } from '#src/platform/errors.js';
import { ProviderFailure } from './provider-failure.js';

interface SignedIdToken {
  readonly orgId: string;
  readonly jwksUri: string;
  readonly idToken: string;
  readonly accessToken: string;
  /** The claim `at_hash`, if the token has it. */
  readonly accessTokenHash: unknown;
}

/**
 * Verifies the signature of an ID token with the one published key that it names, and that it belongs to the access token beside it
 * (OpenID Connect Core section 3.1.3.7 items 6 to 8, and 3.1.3.8). The library has checked its claims.
 * @throws ProviderFailure `signatureInvalid`, `tokenInvalid`, `unreachable`
 */
export async function verifyIdToken(
  deps: SignatureDeps,
  { orgId, jwksUri, idToken, accessToken, accessTokenHash }: SignedIdToken,
): Promise<void> {
  const { alg } = await verifySignature(deps, { orgId, jwksUri, token: idToken });
  if (accessTokenHash !== undefined && !isHashOf(accessToken, accessTokenHash, alg))
    throw new ProviderFailure('tokenInvalid', 'The ID token belongs to another access token');
}

export interface SignatureDeps {
  readonly providerKeys: Pick<IssuerKeys, 'find'>;
}

/**
 * Verifies the signature of a JWT of a provider with the one published key that it names.
 * @returns its algorithm and its payload
 * @throws ProviderFailure `signatureInvalid`, `unreachable`; what `jose` throws if the text is no JWS
 */
export async function verifySignature(
  { providerKeys }: SignatureDeps,
  { orgId, jwksUri, token }: { orgId: string; jwksUri: string; token: string },
): Promise<{ readonly alg: string; readonly payload: Uint8Array }> {
  const { alg = '', kid } = decodeProtectedHeader(token);
  const keys = await providerKeys.find(orgId, jwksUri, kid).catch((error: unknown) => {
    if (!(error instanceof AppError)) throw error;
    const why = error.cause instanceof Error ? error.cause.message : 'Too many keys are read at once';
    throw new ProviderFailure('unreachable', why);
  });
  const fitting = keys.filter(
    (key) => (kid === undefined || key.kid === kid) && algorithmsOf(key.jwk).includes(alg),
  );
  const [key] = fitting;
  // Of several keys the token names one (OpenID Connect Core section 10.1). To try each would take long.
  if (key === undefined || fitting.length > 1)
    throw new ProviderFailure('signatureInvalid', 'The token names no key that the provider publishes');
  try {
    const { payload } = await compactVerify(token, await importedKey(key, alg), { algorithms: [alg] });
    return { alg, payload };
  } catch {
    throw new ProviderFailure('signatureInvalid', 'The signature of the token is wrong');
  }
}

/** Imported keys, by the published key. Keys that are read anew are other objects. */
const imported = new WeakMap<ClientKey, Promise<CryptoKey>>();

/** An imported key serves one algorithm. That of most tokens is the first one of the key. */
function importedKey(key: ClientKey, alg: string): Promise<CryptoKey> {
  const isFirst = alg === algorithmsOf(key.jwk)[0];
  const known = isFirst ? imported.get(key) : undefined;
  const importing = known ?? (importJWK(key.jwk, alg) as Promise<CryptoKey>);
  if (isFirst && known === undefined) imported.set(key, importing);
  return importing;
}

/** Whether the claim is the left half of the hash of the token, by the hash function of the signature algorithm. */
function isHashOf(token: string, claim: unknown, alg: string): boolean {
  const bits = /(256|384|512)$/.exec(alg)?.[1] ?? '512';
  const digest = createHash(`sha${bits}`).update(token, 'ascii').digest();
  const expected = Buffer.from(digest.subarray(0, digest.length / 2).toString('base64url'));
  const given = Buffer.from(typeof claim === 'string' ? claim : '');
  return given.length === expected.length && timingSafeEqual(given, expected);
}
