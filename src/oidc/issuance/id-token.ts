import { hash } from 'node:crypto';
import { acrOf } from '#src/authentication/proofs/index.js';
import type { AlgorithmChoice } from '#src/keys/known-algorithms.js';
import type { Sealer } from '#src/keys/sealer.js';
import { signJwt } from '#src/keys/sign-jwt.js';
import type { SigningKeys } from '#src/keys/signing-keys.js';
import type { ThreadPool } from '#src/keys/thread-pool.js';
import { type Clock, unixSeconds } from '#src/platform/clock.js';
import type { Actor, TokenOrigin } from '#src/tokens/access-token-claims.js';
import { sealOrigins } from './token-origins.js';
import type { UserClaims } from './user-claims.js';

export interface IdTokenDeps {
  readonly signingKeys: Pick<SigningKeys, 'active'>;
  readonly threads: ThreadPool;
  /** Seals the tokens from which an ID token was exchanged. */
  readonly originsSealer: Pick<Sealer, 'seal'>;
  readonly clock: Clock;
  readonly config: { readonly baseUrl: string; readonly idTokenSeconds: number };
}

/** The content of an ID token (OpenID Connect Core section 2). */
interface IdTokenContent {
  readonly sub: string;
  readonly clientId: string;
  /** The organization of the client. */
  readonly clientOrgId: string;
  /** What the application chose. By default, the configured algorithm signs. */
  readonly algorithm?: AlgorithmChoice | undefined;
  /** Claims of the scopes, if they belong into the token. */
  readonly claims?: UserClaims;
  readonly nonce?: string | undefined;
  readonly authTime?: Date | undefined;
  readonly amr?: readonly string[] | undefined;
  /** The levels of authentication for which the application asked. */
  readonly acrs?: readonly string[] | undefined;
  readonly sessionId?: string | undefined;
  /** The actor that acts for the subject (RFC 8693 section 4.1). */
  readonly act?: Actor | undefined;
  /** All tokens from which it was exchanged, for its `jti`. After a revocation of one of them, the token cannot be exchanged. */
  readonly origins?: readonly TokenOrigin[] | undefined;
  /** The access token that is issued with it, bound by `at_hash`. */
  readonly accessToken?: string | undefined;
  /** The code for which it is issued, bound by `c_hash`. */
  readonly code?: string | undefined;
  /** The latest expiry, in seconds since 1970. */
  readonly notAfter?: number | undefined;
}

/** Signs an ID token with the active key of its algorithm. */
export async function issueIdToken(
  { signingKeys, threads, originsSealer, clock, config }: IdTokenDeps,
  content: IdTokenContent,
): Promise<string> {
  const key = await signingKeys.active(content.algorithm);
  const { alg } = key;
  const { sub, clientId, nonce, authTime, amr, sessionId, act, origins, accessToken, code } = content;
  const issuedAt = unixSeconds(clock.now());
  const expires = Math.min(issuedAt + config.idTokenSeconds, content.notAfter ?? Number.POSITIVE_INFINITY);
  const protocolClaims = {
    iss: config.baseUrl,
    sub,
    aud: clientId,
    azp: clientId,
    iat: issuedAt,
    exp: expires,
    ...(authTime !== undefined && { auth_time: unixSeconds(authTime) }),
    ...(nonce !== undefined && { nonce }),
    ...(amr !== undefined && amr.length > 0 && { amr: [...amr], acr: acrOf(amr, content.acrs) }),
    ...(sessionId !== undefined && { sid: sessionId }),
    ...(act !== undefined && { act }),
    ...(origins !== undefined && { jti: sealOrigins(originsSealer, origins) }),
    ...(accessToken !== undefined && { at_hash: halfHash(accessToken, alg) }),
    ...(code !== undefined && { c_hash: halfHash(code, alg) }),
  };
  // The claims of the user come first, so that none of them replaces a claim of the protocol.
  return signJwt({ threads, key, holder: content.clientOrgId }, 'JWT', {
    ...content.claims,
    ...protocolClaims,
  });
}

/** The left half of the hash that belongs to the algorithm (OpenID Connect Core section 3.1.3.6). */
function halfHash(value: string, alg: string): string {
  const digest = hash(digestOf(alg), value, 'buffer');
  return digest.subarray(0, digest.length / 2).toString('base64url');
}

/** Ed25519 uses SHA-512 internally, so its token hashes use it too. */
function digestOf(alg: string): string {
  if (alg === 'EdDSA' || alg === 'Ed25519' || alg.endsWith('512')) return 'sha512';
  return alg.endsWith('384') ? 'sha384' : 'sha256';
}
