import type { JWTPayload } from 'jose';
import {
  type AccessTokenClaims,
  type Actor,
  clientOrganizationClaim,
  type NewAccessToken,
  type TokenOrigin,
  userOrganizationClaim,
} from './access-token-claims.js';

/**
 * Claims of JWTs that only this service reads. Their names belong to this service, so that they cannot collide with claims of
 * others (RFC 7519 section 4.2).
 */
const originsClaim = 'urn:service:iam:token:origins';
const userinfoClaim = 'urn:service:iam:token:userinfo';

/** The claims of a JWT that this service has signed, in this version or an earlier one. */
export interface AccessTokenPayload {
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

/** The claims of a JWT access token (RFC 9068 section 2.2). */
export function toJwtClaims(claims: NewAccessToken, issuer: string): Readonly<Record<string, unknown>> {
  return {
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
  };
}

/** Reads what {@link toJwtClaims} wrote. Undefined if a claim is missing that every access token has. */
export function fromJwtClaims(payload: JWTPayload & AccessTokenPayload): AccessTokenClaims | undefined {
  const { jti, sub, aud, exp, client_id: clientId, scope, sid, act, auth_time: authTime } = payload;
  const issue = readIssue(payload);
  if (jti === undefined || sub === undefined || aud === undefined) return undefined;
  if (issue === undefined || exp === undefined) return undefined;
  const { [originsClaim]: origins = payload.origins, [userinfoClaim]: userinfoClaims } = payload;
  return {
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
function readIssue({ jti = '', iat_ms: time, family }: AccessTokenPayload): Issue | undefined {
  if (time !== undefined) return { issuedAt: time / 1000, ...(family !== undefined && { family }) };
  const [, written, named] = /^[^.]+\.([0-9a-z]{1,10})(?:\.([^.]+))?$/.exec(jti) ?? [];
  if (written === undefined) return undefined;
  return { issuedAt: Number.parseInt(written, 36) / 1000, ...(named !== undefined && { family: named }) };
}
