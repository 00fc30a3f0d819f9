import { unixSeconds } from '#src/platform/clock.js';
import type { OidcProvider } from '../registry/connection.js';
import { entraTenantOf } from '../registry/known-providers.js';
import { ProviderFailure } from './provider-failure.js';

type Claims = Readonly<Record<string, unknown>>;

/**
 * Checks that the person is of the tenant of Entra that the issuer names (`tid`), and of the Google Workspace domain that the connection names
 * (`hd`). Both providers also sign in people of others.
 * @throws ProviderFailure `tenantWrong`
 */
export function requireTenant(
  { issuer, hostedDomain }: Pick<OidcProvider, 'issuer' | 'hostedDomain'>,
  claims: Claims,
): void {
  const tenant = entraTenantOf(issuer);
  if (tenant !== undefined && claims['tid'] !== tenant)
    throw new ProviderFailure('tenantWrong', 'The claim tid is not the tenant of the connection');
  if (hostedDomain === undefined) return;
  const { hd } = claims;
  if (typeof hd !== 'string' || hd.toLowerCase() !== hostedDomain)
    throw new ProviderFailure('tenantWrong', 'The claim hd is not the domain of the connection');
}

/** When the person proved itself at the provider, if it says so and the time has come. */
export function provedAt(claims: Claims, now: Date): Date | undefined {
  const { auth_time: time } = claims;
  if (typeof time !== 'number' || !Number.isFinite(time) || time < 0) return undefined;
  return new Date(Math.min(time, unixSeconds(now)) * 1000);
}

/**
 * Checks that the person proved itself at the provider as lately as a request demands. `prompt` and `max_age` went through the browser, so only
 * the time in the ID token shows that the provider followed them.
 * @throws ProviderFailure `notFresh`, also if the provider does not say when
 */
export function requireProvedSince(
  { auth_time: time }: Claims,
  { since, skewSeconds }: { since: Date | undefined; skewSeconds: number },
): void {
  if (since === undefined) return;
  if (typeof time === 'number' && time >= unixSeconds(since) - skewSeconds) return;
  const reason = time === undefined ? 'is missing' : 'is too old';
  throw new ProviderFailure('notFresh', `A fresh sign-in was demanded, and its time ${reason}`);
}

/** The longest `sid`, in characters. */
export const longestSid = 255;

/**
 * What the ID token says of the session at the provider: its `sid` (OpenID Connect Front-Channel Logout section 3), and when it ends
 * (`session_expiry` of OpenID Connect Enterprise Extensions), in milliseconds since 1970.
 */
export function sessionAtProvider({ sid, session_expiry: expiry }: Claims): { sid?: string; until?: number } {
  const hasSid = typeof sid === 'string' && sid !== '' && sid.length <= longestSid;
  const hasEnd = typeof expiry === 'number' && Number.isFinite(expiry) && expiry > 0;
  return { ...(hasSid && { sid }), ...(hasEnd && { until: expiry * 1000 }) };
}

/** Whether the ID token says that the person proved several factors (RFC 8176 section 2, `mfa`). */
export function isMultiFactor(
  { strength, acrs }: { strength: 'single' | 'claimed' | 'multiple'; acrs: readonly string[] },
  { amr, acr }: Claims,
): boolean {
  if (strength !== 'claimed') return strength === 'multiple';
  const hasMfa = Array.isArray(amr) && amr.includes('mfa');
  return hasMfa || (typeof acr === 'string' && acrs.includes(acr));
}
