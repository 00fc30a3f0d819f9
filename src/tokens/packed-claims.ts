import type { AccessTokenClaims, Actor, TokenOrigin } from './access-token-claims.js';

/** The claims by position, which is shorter and faster to make than an object with names. */
type PackedClaims = [
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

export function packClaims(c: AccessTokenClaims): PackedClaims {
  const packed: PackedClaims = [
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

export function unpackClaims(packed: PackedClaims): AccessTokenClaims {
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
