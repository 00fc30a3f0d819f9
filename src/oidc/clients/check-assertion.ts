import type { JWTPayload } from 'jose';
import { type Clock, unixSeconds } from '#src/platform/clock.js';

/** The longest life of an assertion, in seconds. */
const maxLife = 3600;
/** The accepted difference between the clock of a client and this one, in seconds. */
export const tolerance = 30;

const endpoints = ['token', 'introspection', 'revocation'] as const;

/** An endpoint at which clients authenticate. */
export type AssertionEndpoint = (typeof endpoints)[number];

const paths: Record<AssertionEndpoint, string> = {
  token: '/oauth/v2/token',
  introspection: '/oauth/v2/introspect',
  revocation: '/oauth/v2/revoke',
};

/** For whom an assertion must be meant. */
interface AssertionAudience {
  readonly issuer: string;
  /** The endpoint that is called. */
  readonly endpoint: AssertionEndpoint;
  /** Whether `aud` must be a single string. */
  readonly single: boolean;
}

/** Claims of a valid assertion (RFC 7523 section 3). */
interface AssertionClaims {
  readonly expires: Date;
  readonly jti?: string;
}

/**
 * Checks the claims of an assertion whose signature is verified (RFC 7523 section 3). `iss` and `sub` must be the client.
 * `aud` must be the issuer or the called endpoint. `exp` must be at most an hour after `iat`.
 * @returns undefined for an assertion that is not valid
 */
export function checkAssertion(
  claims: JWTPayload,
  { clientId, audience, clock }: { clientId: string; audience: AssertionAudience; clock: Clock },
): AssertionClaims | undefined {
  const { iss, sub, aud, exp, iat, nbf, jti } = claims;
  if (iss !== clientId || sub !== clientId) return undefined;
  if (!isMeantFor(audience, aud)) return undefined;
  const now = unixSeconds(clock.now());
  if (!isTime(exp) || exp <= now - tolerance) return undefined;
  if (iat !== undefined && (!isTime(iat) || iat > now + tolerance)) return undefined;
  if (nbf !== undefined && (!isTime(nbf) || nbf > now + tolerance)) return undefined;
  if (exp - (iat ?? now) > maxLife) return undefined;
  if (jti !== undefined && (typeof jti !== 'string' || jti === '')) return undefined;
  return { expires: new Date(exp * 1000), ...(jti !== undefined && { jti }) };
}

/**
 * Whether `aud` names nobody but this service, because everybody whom it names could use the assertion here. A client of an
 * earlier version may name the issuer and endpoints of this service in a list.
 */
function isMeantFor({ issuer, endpoint, single }: AssertionAudience, aud: unknown): boolean {
  const here: unknown[] = [issuer, addressOf(issuer, endpoint)];
  if (single || !Array.isArray(aud)) return here.includes(aud);
  const ourAudiences: unknown[] = [issuer, ...endpoints.map((name) => addressOf(issuer, name))];
  return aud.some((name) => here.includes(name)) && aud.every((name) => ourAudiences.includes(name));
}

function addressOf(issuer: string, endpoint: AssertionEndpoint): string {
  return `${issuer}${paths[endpoint]}`;
}

/** Whether a claim is a NumericDate (RFC 7519 section 2) that is not before 1970. */
export function isTime(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}
