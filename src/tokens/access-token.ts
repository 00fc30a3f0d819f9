import { jwtVerify } from 'jose';
import type { Sealer } from '#src/keys/sealer.js';
import { signJwt } from '#src/keys/sign-jwt.js';
import type { SigningKeys } from '#src/keys/signing-keys.js';
import { createLru } from '#src/platform/lru.js';

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
  /** Identifier of the token. That of a JWT also tells the exact time of issue and the family. */
  readonly jti: string;
  /** The user that the token stands for. */
  readonly sub: string;
  /** The organization of the user. */
  readonly org: string;
  readonly clientId: string;
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
  /** Single claims that userinfo returns besides those of the scope. */
  readonly claims?: readonly string[];
  /** When the person, or else the actor, authenticated, in seconds since 1970 (RFC 9068 section 2.2.1). */
  readonly authTime?: number;
}

/** What a new token says: its claims, and the organization of the client, which only a JWT names. */
export type NewAccessToken = AccessTokenClaims & { readonly clientOrgId: string };

/** The claim with the organization of the user. Every JWT and every introspection has it. */
export const userOrganizationClaim = 'urn:service:iam:user:resourceowner:id';
/** The claim with the organization of the client. Every JWT and every introspection has it. */
export const clientOrganizationClaim = 'urn:service:iam:client:resourceowner:id';

/**
 * Claims of JWTs that only this service reads. Their names belong to this service, so that they cannot collide with claims of
 * others (RFC 7519 section 4.2).
 */
const originsClaim = 'urn:service:iam:token:origins';
const userinfoClaim = 'urn:service:iam:token:userinfo';

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
  issuer: string;
}): AccessTokens {
  const { sealer, signingKeys, issuer } = deps;
  /**
   * By token. The content of a token never changes, and a token is used many times. Only valid tokens are
   * cached. A JWT is valid only as long as its key is published.
   */
  const unsealed = createLru<AccessTokenClaims>({ ...remembered, sizeCalculation: sizeOf });
  const verified = createLru<VerifiedJwt>({ ...remembered, sizeCalculation: sizeOf });
  return {
    async issue(claims, form) {
      if (form === 'opaque')
        return sealer.seal(Buffer.from(JSON.stringify(pack(claims)))).toString('base64url');
      return signJwt(await signingKeys.active(), jwtType, {
        client_id: claims.clientId,
        scope: claims.scope,
        [userOrganizationClaim]: claims.org,
        [clientOrganizationClaim]: claims.clientOrgId,
        sid: claims.session,
        auth_time: claims.authTime,
        act: claims.act,
        [originsClaim]: claims.origins,
        [userinfoClaim]: claims.claims,
        iss: issuer,
        sub: claims.sub,
        aud: claims.audience,
        jti: jwtId(claims),
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
    } = await jwtVerify<JwtPayload>(token, (header) => signingKeys.publicKey(header.kid, header.alg), {
      issuer,
      typ: jwtType,
      // The caller checks the expiry by its clock, as it does for sealed tokens.
      currentDate: new Date(0),
    });
    const { jti, sub, aud, exp, client_id: clientId, scope, sid, act, auth_time: authTime } = payload;
    const issue = readIssue(payload);
    if (jti === undefined || sub === undefined || aud === undefined) return undefined;
    if (issue === undefined || exp === undefined) return undefined;
    const { [originsClaim]: origins = payload.origins, [userinfoClaim]: userinfoClaims } = payload;
    const claims: AccessTokenClaims = {
      jti,
      sub,
      org: payload[userOrganizationClaim] ?? payload.org,
      clientId,
      audience: typeof aud === 'string' ? [aud] : aud,
      scope,
      ...issue,
      expiresAt: exp,
      ...(sid !== undefined && { session: sid }),
      ...(act !== undefined && { act }),
      ...(origins !== undefined && { origins }),
      ...(userinfoClaims !== undefined && { claims: userinfoClaims }),
      ...(authTime !== undefined && { authTime }),
    };
    return { kid, alg, claims };
  }
}

/** A JWT whose signature was checked, and the key that made it. */
interface VerifiedJwt {
  readonly kid: string | undefined;
  readonly alg: string;
  readonly claims: AccessTokenClaims;
}

interface JwtPayload {
  jti?: string;
  client_id: string;
  scope: string;
  [userOrganizationClaim]?: string;
  sid?: string;
  act?: Actor;
  auth_time?: number;
  [originsClaim]?: readonly TokenOrigin[];
  [userinfoClaim]?: readonly string[];
  /** These are only in tokens of earlier versions. The time is in milliseconds. */
  iat_ms?: number;
  org: string;
  family?: string;
  origins?: readonly TokenOrigin[];
}

type Issue = Pick<AccessTokenClaims, 'issuedAt' | 'family'>;

/**
 * The `jti` of a JWT: the identifier, the time of issue in milliseconds, because `iat` has whole seconds, and the family. These are
 * needed to tell whether the token is revoked, and no registered claim has them.
 */
function jwtId({ jti, issuedAt, family }: AccessTokenClaims): string {
  const time = Math.round(issuedAt * 1000).toString(36);
  return [jti, time, ...(family === undefined ? [] : [family])].join('.');
}

/** Reads what {@link jwtId} wrote. Tokens of earlier versions have claims instead. */
function readIssue({ jti = '', iat_ms: time, family }: JwtPayload): Issue | undefined {
  if (time !== undefined) return { issuedAt: time / 1000, ...(family !== undefined && { family }) };
  const [, written, named] = /^[^.]+\.([0-9a-z]{1,10})(?:\.([^.]+))?$/.exec(jti) ?? [];
  if (written === undefined) return undefined;
  return { issuedAt: Number.parseInt(written, 36) / 1000, ...(named !== undefined && { family: named }) };
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
  (readonly string[] | null)?,
  number?,
];

function pack(c: AccessTokenClaims): Packed {
  const packed: Packed = [
    c.jti,
    c.sub,
    c.org,
    c.clientId,
    // Earlier versions had the login name here.
    '',
    c.audience,
    c.scope,
    c.issuedAt,
    c.expiresAt,
    c.family ?? null,
    c.session ?? null,
  ];
  // What is absent at the end is left out.
  const hasTime = c.authTime !== undefined;
  const hasClaims = c.claims !== undefined || hasTime;
  const hasOrigins = c.origins !== undefined || hasClaims;
  if (c.act !== undefined || hasOrigins) packed.push(c.act ?? null);
  if (hasOrigins) packed.push(c.origins ?? []);
  if (hasClaims) packed.push(c.claims ?? null);
  if (hasTime) packed.push(c.authTime);
  return packed;
}

function unpack(packed: Packed): AccessTokenClaims {
  const [
    jti,
    sub,
    org,
    clientId,
    ,
    audience,
    scope,
    issuedAt,
    expiresAt,
    family,
    session,
    act,
    origins,
    claims,
    authTime,
  ] = packed;
  return {
    jti,
    sub,
    org,
    clientId,
    audience,
    scope,
    issuedAt,
    expiresAt,
    ...(family !== null && { family }),
    ...(session !== null && { session }),
    ...(act != null && { act }),
    ...(origins !== undefined && (origins.length > 0 || packed.length === 13) && { origins }),
    ...(claims != null && { claims }),
    ...(authTime !== undefined && { authTime }),
  };
}
