import type { JWTPayload } from 'jose';
import {
  type FederatedCredential,
  type IssuerKeys,
  maxFederatedText,
} from '#src/clients/credentials/index.js';
import type { ServiceUser } from '#src/clients/service-users/index.js';
import { type Clock, unixSeconds } from '#src/platform/clock.js';
import { AppError } from '#src/platform/errors.js';
import { isTime, tolerance } from './check-assertion.js';
import type { Refusal } from './refusal.js';
import { peekAtClaims, peekAtHeader, verifyClientJwt } from './verify-client-jwt.js';

/** The longest life of a JWT of an outside issuer, in seconds. Entra and Kubernetes make some that last a day. */
const maxLife = 24 * 3600 + 600;

/** JWTs of other types, such as logout tokens and security events, say nothing about who sends them (RFC 8725 section 3.11). */
const types = ['jwt', 'at+jwt', 'application/at+jwt'];

/** The trust that covers a JWT, or why there is none. */
export type Trust =
  | { readonly credential: FederatedCredential }
  | (Pick<Refusal, 'reason' | 'issuer' | 'subject' | 'audience'> & {
      /** Why the keys of the issuer could not be read. */
      readonly error?: Error;
    });

/**
 * Finds the federated credential of a service user that covers a JWT of an outside issuer (RFC 7523 section 3). The issuer must
 * have signed it, it must name the trusted subject and nobody but the trusted audience, and it must be valid now.
 */
export async function findTrust(
  deps: { readonly issuerKeys: Pick<IssuerKeys, 'find'>; readonly clock: Clock },
  { orgId, federatedCredentials = [] }: Pick<ServiceUser, 'orgId' | 'federatedCredentials'>,
  jwt: string,
): Promise<Trust> {
  const issuer = peekAtClaims(jwt)?.iss;
  const trusts = federatedCredentials.filter((trust) => trust.issuer === issuer);
  if (issuer === undefined || trusts.length === 0) return { reason: 'issuerNotTrusted' };
  const { typ, kid } = peekAtHeader(jwt) ?? {};
  if (typ !== undefined && !types.includes(String(typ).toLowerCase()))
    return { reason: 'claimsWrong', issuer };
  let claims: JWTPayload | undefined;
  try {
    const keys = await deps.issuerKeys.find(orgId, issuer, typeof kid === 'string' ? kid : undefined);
    // Of several keys the JWT names one (OpenID Connect Core section 10.1). To try each would take long.
    if (kid !== undefined || keys.length === 1) claims = await verifyClientJwt(keys, jwt, deps.clock.now());
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { reason: 'issuerUnavailable', issuer, error };
  }
  if (claims === undefined) return { reason: 'signatureWrong', issuer };
  if (!isValidNow(claims, deps.clock)) return { reason: 'claimsWrong', issuer };
  const { subject, audience } = namesOf(claims);
  const credential = trusts.find((trust) => trust.subject === subject && trust.audience === audience);
  if (credential) return { credential };
  return {
    reason: 'subjectNotTrusted',
    issuer,
    ...shown('subject', subject),
    ...shown('audience', audience),
  };
}

function isValidNow({ exp, iat, nbf }: JWTPayload, clock: Clock): boolean {
  const now = unixSeconds(clock.now());
  if (!isTime(exp) || exp <= now - tolerance) return false;
  if (iat !== undefined && (!isTime(iat) || iat > now + tolerance)) return false;
  if (nbf !== undefined && (!isTime(nbf) || nbf > now + tolerance)) return false;
  return exp - (iat ?? now) <= maxLife;
}

/** Everybody whom `aud` names could use the JWT here, so a list of several names nobody. */
function namesOf({ sub, aud }: JWTPayload): { subject: unknown; audience: unknown } {
  return { subject: sub, audience: Array.isArray(aud) && aud.length === 1 ? aud[0] : aud };
}

/** What the JWT says, for an event: at most as long as it could be trusted. */
function shown<Name extends string>(name: Name, value: unknown): Partial<Record<Name, string>> {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text === undefined
    ? {}
    : ({ [name]: text.toWellFormed().slice(0, maxFederatedText) } as Record<Name, string>);
}
