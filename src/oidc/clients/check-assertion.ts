import type { JWTPayload } from 'jose';
import { type Clock, unixSeconds } from '#src/platform/clock.js';

/** The longest life of an assertion, in seconds. */
const maxLife = 3600;
/** The accepted difference between the clock of a client and this one, in seconds. */
const tolerance = 30;

/** Claims of a valid assertion (RFC 7523 section 3). */
export interface AssertionClaims {
  readonly expires: Date;
  readonly jti?: string;
}

/**
 * Checks the claims of an assertion whose signature is verified. `iss` and `sub` must be the client, `aud`
 * must contain the issuer or the token endpoint, and `exp` must be at most an hour after `iat`.
 * @returns undefined for an assertion that is not valid
 */
export function checkAssertion(
  claims: JWTPayload,
  { clientId, issuer, clock }: { clientId: string; issuer: string; clock: Clock },
): AssertionClaims | undefined {
  const { iss, sub, aud, exp, iat, nbf, jti } = claims;
  if (iss !== clientId || sub !== clientId) return undefined;
  const audience: unknown[] = Array.isArray(aud) ? aud : [aud];
  if (!audience.includes(issuer) && !audience.includes(`${issuer}/oauth/v2/token`)) return undefined;
  const now = unixSeconds(clock.now());
  if (!isTime(exp) || exp <= now - tolerance) return undefined;
  if (iat !== undefined && (!isTime(iat) || iat > now + tolerance)) return undefined;
  if (nbf !== undefined && (!isTime(nbf) || nbf > now + tolerance)) return undefined;
  if (exp - (iat ?? now) > maxLife) return undefined;
  if (jti !== undefined && (typeof jti !== 'string' || jti === '')) return undefined;
  return { expires: new Date(exp * 1000), ...(jti !== undefined && { jti }) };
}

function isTime(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}
