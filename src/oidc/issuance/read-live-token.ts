import { type AdmissionDeps, admissionOf } from '#src/authorization/admission.js';
import { type FindApplicationDeps, findApplication } from '#src/authorization/find-application.js';
import { scopeToConsent } from '#src/authorization/requested-claims.js';
import type { Application } from '#src/clients/applications/index.js';
import { organizationStands } from '#src/organizations/index.js';
import { type Clock, unixSeconds } from '#src/platform/clock.js';
import type { AccessTokens } from '#src/tokens/access-token.js';
import type { AccessTokenClaims } from '#src/tokens/access-token-claims.js';
import { actorsOf } from '#src/tokens/refresh-tokens.js';
import { isAnyRevoked, type RevocationList } from '#src/tokens/revocation.js';
import type { GroupsClaim } from './group-claims.js';
import { type ImpersonationDeps, mayAllImpersonate } from './may-impersonate.js';
import { findSubject, type Subject } from './subject.js';

export type LiveTokenDeps = ImpersonationDeps & FindApplicationDeps & AdmissionDeps & TokenDeps;

interface TokenDeps {
  readonly accessTokens: Pick<AccessTokens, 'read'>;
  readonly revocations: Pick<RevocationList, 'check' | 'isRevoked'>;
  readonly clock: Clock;
}

/** A valid access token and its subject. */
export interface LiveToken {
  readonly claims: AccessTokenClaims;
  readonly subject: Subject;
  /** The organization of the client to which it was issued. */
  readonly clientOrgId: string;
  /** What that client gets in the claim `groups`. */
  readonly groupsClaim?: GroupsClaim | undefined;
  /** The project of that client. */
  readonly projectId?: string | undefined;
}

/**
 * Reads an access token that this service issued, that has not expired and is not revoked, and whose user and
 * client are active. The application must still serve the person: a token ends with the consent or the grant. It costs one
 * round trip to Redis; people, clients, consents and grants are cached. An exchanged token ends with every token from which it was
 * made, including the actor's. A token with an actor also ends when the actor may no more impersonate the user, which costs it
 * reads of MongoDB.
 * @param accept a further condition on the claims, checked before any store is asked
 */
export async function readLiveToken(
  deps: LiveTokenDeps,
  token: string,
  accept: (claims: AccessTokenClaims) => boolean = () => true,
): Promise<LiveToken | undefined> {
  const claims = await deps.accessTokens.read(token);
  if (claims === undefined || claims.expiresAt <= unixSeconds(deps.clock.now()) || !accept(claims)) {
    return undefined;
  }
  const [{ revoked, stamp }, originRevoked, admitting] = await Promise.all([
    deps.revocations.check(claims),
    isAnyRevoked(deps.revocations, claims.origins),
    admittingClient(deps, claims),
  ]);
  if (revoked || originRevoked || admitting === undefined) return undefined;
  const { orgId: clientOrgId, projectId } = admitting;
  const { sub, org, clientId } = claims;
  const subject = await findSubject(deps, { sub, org, clientId, stamp });
  if (subject === undefined || !(await organizationStands(deps, org, claims.issuedAt))) return undefined;
  const actors = actorsOf(claims.act);
  if (!(await mayAllImpersonate(deps, { actors, target: subject, clientOrgId }))) return undefined;
  return { claims, subject, clientOrgId, groupsClaim: admitting, projectId };
}

/** The client to which the token was issued, if it is active and still serves the user. */
async function admittingClient(
  deps: LiveTokenDeps,
  { clientId, sub, org, scope: granted, claims, issuedAt }: AccessTokenClaims,
): Promise<(Pick<Application, 'orgId'> & Partial<Pick<Application, 'projectId'>> & GroupsClaim) | undefined> {
  // The client is the service user itself, which is checked as the subject.
  if (clientId === sub) return { orgId: org };
  const application = await findApplication(deps, clientId);
  if (application !== undefined) {
    const scope = scopeToConsent(granted, claims);
    const admission = await admissionOf(deps, application, { orgId: org, userId: sub, scope, issuedAt });
    return admission === 'admitted' ? application : undefined;
  }
  const found = await deps.caches.serviceUsers.get(clientId);
  return found?.active ? { orgId: found.orgId } : undefined;
}
