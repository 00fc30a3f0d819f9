import { jwtVerify } from 'jose';
import { LRUCache } from 'lru-cache';
import type { Sealer } from '#src/keys/sealer.js';
import { signJwt } from '#src/keys/sign-jwt.js';
import type { SigningKeys } from '#src/keys/signing-keys.js';

/** The actor that acts for a subject, and the actors through which it acts (RFC 8693 section 4.1). */
export interface Actor {
  readonly iss: string;
  readonly sub: string;
  readonly act?: Actor;
}

/** A token from which another was made. Its revocation revokes the other. */
export interface TokenOrigin {
  readonly jti: string;
  readonly sub: string;
  readonly family?: string;
  readonly session?: string;
  /** Seconds since 1970, to the millisecond. */
  readonly issuedAt: number;
}

/** The content of an access token: the claims of RFC 9068 section 2.2, and those that this service adds. */
export interface AccessTokenClaims {
  /** Identifier of the token. */
  readonly jti: string;
  /** The user that the token stands for. */
  readonly sub: string;
  /** The organization of the user. */
  readonly org: string;
  readonly clientId: string;
  readonly username: string;
  readonly audience: readonly string[];
  /** Space-delimited. */
  readonly scope: string;
  /** Seconds since 1970, to the millisecond. */
  readonly issuedAt: number;
  /** Seconds since 1970. */
  readonly expiresAt: number;
  /** The refresh family to which the token belongs. */
  readonly family?: string;
  /** The session to which the token belongs. */
  readonly session?: string;
  /** The actor that acts for the subject. */
  readonly act?: Actor;
  /** All tokens from which it was made by exchange. It ends with each of them. */
  readonly origins?: readonly TokenOrigin[];
}

/** What a new token says: its claims, and the organization of the client, which only a JWT names. */
export type NewAccessToken = AccessTokenClaims & { readonly clientOrgId: string };

/** The claim with the organization of the user. Every JWT and every introspection has it. */
export const userOrganizationClaim = 'urn:service:iam:user:resourceowner:id';
/** The claim with the organization of the client. Every JWT and every introspection has it. */
export const clientOrganizationClaim = 'urn:service:iam:client:resourceowner:id';

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
/** The number of tokens whose claims a process caches, about 1 KiB each. */
const maxUnsealed = 10_000;

export function createAccessTokens(deps: {
  sealer: Sealer;
  signingKeys: SigningKeys;
  issuer: string;
}): AccessTokens {
  const { sealer, signingKeys, issuer } = deps;
  /**
   * By token. The content of a token never changes, and a token is used many times. Only valid tokens are
   * cached.
   */
  const unsealed = new LRUCache<string, AccessTokenClaims>({ max: maxUnsealed });
  return {
    async issue(claims, form) {
      if (form === 'opaque')
        return sealer.seal(Buffer.from(JSON.stringify(pack(claims)))).toString('base64url');
      return signJwt(await signingKeys.active(), jwtType, {
        client_id: claims.clientId,
        scope: claims.scope,
        org: claims.org,
        [userOrganizationClaim]: claims.org,
        [clientOrganizationClaim]: claims.clientOrgId,
        username: claims.username,
        family: claims.family,
        sid: claims.session,
        act: claims.act,
        origins: claims.origins,
        iat_ms: Math.round(claims.issuedAt * 1000),
        iss: issuer,
        sub: claims.sub,
        aud: claims.audience,
        jti: claims.jti,
        iat: Math.floor(claims.issuedAt),
        exp: claims.expiresAt,
      });
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
    const claims = unpack(JSON.parse(plaintext.toString()));
    unsealed.set(token, claims);
    return claims;
  }

  async function readJwt(token: string): Promise<AccessTokenClaims | undefined> {
    try {
      const { payload } = await jwtVerify<JwtPayload>(
        token,
        (header) => signingKeys.publicKey(header.kid, header.alg),
        {
          issuer,
          typ: jwtType,
          // The caller checks the expiry by its clock, as it does for sealed tokens.
          currentDate: new Date(0),
        },
      );
      const { jti, sub, aud, exp } = payload;
      if (
        jti === undefined ||
        sub === undefined ||
        aud === undefined ||
        payload.iat_ms === undefined ||
        exp === undefined
      ) {
        return undefined;
      }
      return {
        jti,
        sub,
        org: payload.org,
        clientId: payload.client_id,
        username: payload.username,
        audience: typeof aud === 'string' ? [aud] : aud,
        scope: payload.scope,
        issuedAt: payload.iat_ms / 1000,
        expiresAt: exp,
        ...(payload.family !== undefined && { family: payload.family }),
        ...(payload.sid !== undefined && { session: payload.sid }),
        ...(payload.act !== undefined && { act: payload.act }),
        ...(payload.origins !== undefined && { origins: payload.origins }),
      };
    } catch {
      return undefined;
    }
  }
}

interface JwtPayload {
  client_id: string;
  scope: string;
  org: string;
  username: string;
  family?: string;
  sid?: string;
  act?: Actor;
  origins?: readonly TokenOrigin[];
  /** The time of issue in milliseconds, because `iat` has whole seconds. */
  iat_ms?: number;
}

/** The claims by position, which is shorter and faster to make than an object with names. */
type Packed = [
  string,
  string,
  string,
  string,
  string,
  readonly string[],
  string,
  number,
  number,
  string | null,
  string | null,
  (Actor | null)?,
  (readonly TokenOrigin[])?,
];

function pack(c: AccessTokenClaims): Packed {
  const packed: Packed = [
    c.jti,
    c.sub,
    c.org,
    c.clientId,
    c.username,
    c.audience,
    c.scope,
    c.issuedAt,
    c.expiresAt,
    c.family ?? null,
    c.session ?? null,
  ];
  if (c.act !== undefined || c.origins !== undefined) packed.push(c.act ?? null);
  if (c.origins !== undefined) packed.push(c.origins);
  return packed;
}

function unpack(packed: Packed): AccessTokenClaims {
  const [
    jti,
    sub,
    org,
    clientId,
    username,
    audience,
    scope,
    issuedAt,
    expiresAt,
    family,
    session,
    act,
    origins,
  ] = packed;
  return {
    jti,
    sub,
    org,
    clientId,
    username,
    audience,
    scope,
    issuedAt,
    expiresAt,
    ...(family !== null && { family }),
    ...(session !== null && { session }),
    ...(act != null && { act }),
    ...(origins !== undefined && { origins }),
  };
}
