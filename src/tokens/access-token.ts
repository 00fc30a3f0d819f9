import { jwtVerify } from 'jose';
import type { Sealer } from '#src/keys/sealer.js';
import { signJwt } from '#src/keys/sign-jwt.js';
import type { SigningKeys } from '#src/keys/signing-keys.js';
import type { ThreadPool } from '#src/keys/thread-pool.js';
import { createLru } from '#src/platform/lru.js';
import type { AccessTokenClaims, NewAccessToken } from './access-token-claims.js';
import { type AccessTokenPayload, fromJwtClaims, toJwtClaims } from './jwt-claims.js';
import { packClaims, unpackClaims } from './packed-claims.js';

/** Makes and reads access tokens. It uses no store. */
export interface AccessTokens {
  /** Makes a sealed token of about 400 characters, or a JWT of type `at+jwt`. */
  issue(claims: NewAccessToken, form: 'opaque' | 'jwt'): Promise<string>;
  /** The claims of a token that this service made, or undefined. The caller checks the expiry. */
  read(token: string): Promise<AccessTokenClaims | undefined>;
}

const jwtType = 'at+jwt';
/** No token that this service makes is longer. Longer ones are refused unread. */
const maxTokenLength = 8192;
/** The most tokens whose claims a process caches, and the most bytes that these and the claims take. */
const remembered = { max: 10_000, maxSize: 32 * 1024 * 1024 };
/** The claims are about as long as the token. */
const sizeOf = (_entry: object, token: string) => 2 * token.length + 500;

export function createAccessTokens(deps: {
  sealer: Sealer;
  signingKeys: SigningKeys;
  threads: ThreadPool;
  issuer: string;
}): AccessTokens {
  const { sealer, signingKeys, threads, issuer } = deps;
  /**
   * By token. The content of a token never changes, and a token is used many times. Only valid tokens are
   * cached. A JWT is valid only as long as its key is published.
   */
  const unsealed = createLru<AccessTokenClaims>({ ...remembered, sizeCalculation: sizeOf });
  const verified = createLru<VerifiedJwt>({ ...remembered, sizeCalculation: sizeOf });
  return {
    async issue(claims, form) {
      if (form === 'opaque')
        return sealer.seal(Buffer.from(JSON.stringify(packClaims(claims)))).toString('base64url');
      const key = await signingKeys.active();
      return signJwt({ threads, key, holder: claims.org }, jwtType, toJwtClaims(claims, issuer));
    },

    async read(token) {
      if (token.length > maxTokenLength) return undefined;
      return token.includes('.') ? readJwt(token) : readOpaque(token);
    },
  };

  function readOpaque(token: string): AccessTokenClaims | undefined {
    const known = unsealed.get(token);
    if (known !== undefined) return known;
    const plaintext = sealer.unseal(Buffer.from(token, 'base64url'));
    if (plaintext === undefined) return undefined;
    const claims = unpackClaims(JSON.parse(plaintext.toString()));
    unsealed.set(token, claims);
    return claims;
  }

  async function readJwt(token: string): Promise<AccessTokenClaims | undefined> {
    try {
      const known = verified.get(token);
      if (known !== undefined) {
        // No other key ever has the identifier.
        await signingKeys.publicKey(known.kid, known.alg);
        return known.claims;
      }
      const read = await verifyJwt(token);
      if (read !== undefined) verified.set(token, read);
      return read?.claims;
    } catch {
      verified.delete(token);
      return undefined;
    }
  }

  /** @throws Error when the token is not a valid JWT of this service */
  async function verifyJwt(token: string): Promise<VerifiedJwt | undefined> {
    const {
      payload,
      protectedHeader: { kid, alg },
    } = await jwtVerify<AccessTokenPayload>(
      token,
      (header) => signingKeys.publicKey(header.kid, header.alg),
      {
        issuer,
        typ: jwtType,
        // The caller checks the expiry by its clock, as it does for sealed tokens.
        currentDate: new Date(0),
      },
    );
    const claims = fromJwtClaims(payload);
    return claims && { kid, alg, claims };
  }
}

/** A JWT whose signature was checked, and the key that made it. */
interface VerifiedJwt {
  readonly kid: string | undefined;
  readonly alg: string;
  readonly claims: AccessTokenClaims;
}
