import type { Application } from '#src/clients/applications/index.js';
import { type Consent, consentKey } from '#src/clients/consents/index.js';
import { applicationGrantKey } from '#src/clients/grants/index.js';
import type { Cache } from '#src/platform/redis/cache.js';
import { parseScope } from './scope.js';

export interface AdmissionDeps {
  readonly caches: {
    /** Whether there is a grant, by `applicationGrantKey`. */
    readonly applicationGrants: Pick<Cache<boolean>, 'get'>;
    /** By `consentKey`. */
    readonly consents: Pick<Cache<Consent | undefined>, 'get'>;
  };
}

type Facts = Pick<Application, 'id' | 'orgId' | 'orgOnly' | 'approved'>;

/** How far the clocks of two processes may differ. */
const clockSkewSeconds = 60;

/** Whether an application serves a person: yes, no, or only if the person consents. */
type Admission = 'admitted' | 'refused' | 'consentNeeded';

/** Whether an application serves the people of an organization: all, none, or those who consent. */
export async function admissionOfOrganization(
  { caches }: Pick<AdmissionDeps, 'caches'>,
  application: Facts,
  orgId: string,
): Promise<Admission> {
  if (application.orgId === orgId) return 'admitted';
  if (application.orgOnly) return 'refused';
  if (application.approved === true) return 'admitted';
  const isGranted = await caches.applicationGrants.get(
    applicationGrantKey({ orgId, clientId: application.id }),
  );
  return isGranted ? 'admitted' : 'consentNeeded';
}

/**
 * Whether people are signed in, and the application is admitted to the organization of none of them. A page then asks the person before the
 * browser is redirected to the application for another reason than an answer (RFC 9700 section 4.11.2).
 */
export async function isForStrangers(
  deps: Pick<AdmissionDeps, 'caches'>,
  application: Facts,
  sessions: readonly { readonly orgId: string }[],
): Promise<boolean> {
  for (const { orgId } of sessions) {
    if ((await admissionOfOrganization(deps, application, orgId)) === 'admitted') return false;
  }
  return sessions.length > 0;
}

/**
 * Whether an application serves a person with this scope. An application serves the people of its own organization, and asks
 * no store for that. An open application serves others if one of these is true:
 *
 * - an owner of the instance approved it
 * - an owner of their organization granted it
 * - the person consented to each scope
 *
 * @param request `issuedAt` of a token, in seconds since 1970: a consent that was given after it does not count
 */
export async function admissionOf(
  deps: AdmissionDeps,
  application: Facts,
  request: { orgId: string; userId: string; scope: string; issuedAt?: number },
): Promise<Admission> {
  const admission = await admissionOfOrganization(deps, application, request.orgId);
  if (admission !== 'consentNeeded') return admission;
  const key = consentKey({ userId: request.userId, clientId: application.id });
  const consent = await deps.caches.consents.get(key);
  if (consent === undefined || consent.orgId !== request.orgId) return 'consentNeeded';
  const { issuedAt = Number.POSITIVE_INFINITY } = request;
  if (issuedAt + clockSkewSeconds < consent.created.getTime() / 1000) return 'consentNeeded';
  const covers = parseScope(request.scope).known.every((scope) => consent.scopes.includes(scope));
  return covers ? 'admitted' : 'consentNeeded';
}
