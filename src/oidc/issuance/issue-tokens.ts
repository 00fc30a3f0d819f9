import { type AdmissionDeps, admissionOf } from '#src/authorization/admission.js';
import { scopeToConsent } from '#src/authorization/requested-claims.js';
import { parseScope } from '#src/authorization/scope.js';
import { type Application, algorithmChoice } from '#src/clients/applications/index.js';
import { type OrganizationStandsDeps, organizationStands } from '#src/organizations/index.js';
import { preciseSeconds } from '#src/platform/clock.js';
import type { NewRefreshFamily, RefreshTokens } from '#src/tokens/refresh-tokens.js';
import type { RevocationList } from '#src/tokens/revocation.js';
import { OAuthError } from '../protocol/oauth-error.js';
import { personAudience } from './audience.js';
import type { AuthorizationGrant } from './authorization-grant.js';
import { type MadeTokens, type MakeTokensDeps, makeTokens, type TokenOrder } from './make-tokens.js';
import { findSubject, type Subject, type SubjectDeps } from './subject.js';

export type IssueTokensDeps = MakeTokensDeps &
  AdmissionDeps & {
    readonly refreshTokens: Pick<RefreshTokens, 'begin' | 'end'>;
    readonly revocations: Pick<RevocationList, 'check' | 'stampOf'>;
  };

/** The tokens to issue for a person's grant. */
interface IssueRequest {
  readonly application: Application;
  readonly grant: AuthorizationGrant;
  /** A refresh token is issued only if the scope has `offline_access` and the application may refresh. */
  readonly issue: {
    readonly accessToken: boolean;
    readonly idToken: boolean;
    readonly refreshToken: boolean;
  };
  /** The redeemed code, which `c_hash` binds to the ID token. */
  readonly code?: string;
}

interface IssuedTokens {
  readonly accessToken?: string;
  readonly idToken?: string;
  readonly refreshToken?: string;
  /** Seconds. */
  readonly expiresIn: number;
  /** Space-delimited. */
  readonly scope: string;
}

/**
 * Issues the tokens for what a person granted to an application: when it redeems a code, or at once for the
 * implicit response types (OpenID Connect Core sections 3.1.3.3 and 3.2.2.5).
 * @throws OAuthError `invalid_grant` when the person is gone, may not use the application, or the grant was
 * revoked
 */
export async function issueTokens(deps: IssueTokensDeps, request: IssueRequest): Promise<IssuedTokens> {
  const { application, grant, issue } = request;
  const { scope, orgId, userId } = grant;
  // Use the cached user. The stamp in the revocation check confirms that the cache is current.
  const known = deps.people.held(orgId, userId);
  await requireAdmitted(deps, request);
  const held = known && mayUse(request, known.user) ? known : undefined;
  const subject: Subject = held ? { kind: 'person', user: held.user } : await requirePerson(deps, request);
  const making = makeTokens(deps, orderOf(deps, request, subject));
  let refreshToken: string | undefined;
  if (issue.refreshToken && mayRefresh(application, scope)) {
    // In parallel: a family whose token is never sent expires by itself.
    [refreshToken] = await Promise.all([deps.refreshTokens.begin(familyFor(deps, request)), making]);
  }
  const [made, stamp] = await Promise.all([making, refuseRevoked(deps, grant)]);
  const isCurrent = held === undefined || held.stamp === stamp;
  const current = isCurrent ? made : await makeAnew(deps, request);
  return { ...current, ...(refreshToken !== undefined && { refreshToken }), scope };
}

/**
 * Makes the tokens again with the current user. Revocations are checked after the time that the tokens carry,
 * so every later revocation applies to these tokens.
 */
async function makeAnew(deps: IssueTokensDeps, request: IssueRequest): Promise<MadeTokens> {
  const { familyId: id, userId } = request.grant;
  try {
    const subject = await requirePerson(deps, request);
    const making = makeTokens(deps, orderOf(deps, request, subject));
    const [made] = await Promise.all([making, refuseRevoked(deps, request.grant)]);
    return made;
  } catch (error) {
    await deps.refreshTokens.end({ id, userId });
    throw error;
  }
}

function orderOf(
  { config: { baseUrl: issuer } }: IssueTokensDeps,
  { application, grant, issue, code }: IssueRequest,
  subject: Subject,
): TokenOrder {
  const { scope, claims, familyId, sessionId, nonce, authTime, amr } = grant;
  return {
    subject,
    clientId: application.id,
    clientOrgId: application.orgId,
    audience: personAudience(application, { issuer, scope }),
    scope,
    claims,
    ...(issue.accessToken && { accessToken: application.accessTokenType }),
    idToken: issue.idToken && parseScope(scope).known.includes('openid'),
    idTokenAlgorithm: algorithmChoice(application),
    claimsInIdToken: application.idTokenUserinfoAssertion,
    groupsClaim: application,
    projectId: application.projectId,
    familyId,
    sessionId,
    nonce,
    authTime,
    amr,
    code,
  };
}

function familyFor(
  { config: { baseUrl: issuer } }: IssueTokensDeps,
  { application, grant }: IssueRequest,
): NewRefreshFamily {
  const { familyId, userId, orgId, scope, claims, sessionId, authTime, amr } = grant;
  const { proofs, policyAcr, connectionIds } = grant;
  const audience = personAudience(application, { issuer, scope });
  return {
    id: familyId,
    clientId: application.id,
    userId,
    orgId,
    scope,
    ...(claims !== undefined && { claims }),
    audience,
    sessionId,
    authTime,
    amr,
    ...(proofs !== undefined && { proofs }),
    ...(policyAcr !== undefined && { policyAcr }),
    ...(connectionIds !== undefined && { connectionIds }),
  };
}

/** Whether the application may get a refresh token for the scope (OpenID Connect Core section 11). */
export function mayRefresh({ grantTypes }: Pick<Application, 'grantTypes'>, scope: string): boolean {
  return grantTypes.includes('refresh_token') && parseScope(scope).known.includes('offline_access');
}

export type RequirePersonDeps = SubjectDeps &
  AdmissionDeps & { readonly revocations: Pick<RevocationList, 'stampOf'> };

/**
 * The person of a grant, active and admitted to the application with this scope.
 * @throws OAuthError `invalid_grant`
 */
export async function requirePerson(deps: RequirePersonDeps, request: PersonRequest): Promise<Subject> {
  const { userId: sub, orgId: org } = request.grant;
  await requireAdmitted(deps, request);
  const stamp = await deps.revocations.stampOf(sub);
  const subject = await findSubject(deps, { sub, org, stamp });
  if (subject === undefined || !mayUse(request, subject.user)) {
    throw refused();
  }
  return subject;
}

interface PersonRequest {
  readonly application: Application;
  readonly grant: Pick<AuthorizationGrant, 'userId' | 'orgId' | 'scope' | 'claims'>;
}

/** Whether the user is active and belongs to the organizations that the scope demands. */
function mayUse({ grant }: PersonRequest, { active, orgId }: Subject['user']): boolean {
  return active && parseScope(grant.scope).organizations.every((organization) => organization === orgId);
}

/** Requires that the application still serves the person. @throws OAuthError `invalid_grant` */
async function requireAdmitted(
  deps: AdmissionDeps & OrganizationStandsDeps,
  { application, grant }: PersonRequest,
): Promise<void> {
  const { userId, orgId, claims } = grant;
  const scope = scopeToConsent(grant.scope, claims);
  if ((await admissionOf(deps, application, { userId, orgId, scope })) !== 'admitted') throw refused();
  if (!(await organizationStands(deps, orgId))) throw refused();
}

function refused(): OAuthError {
  return new OAuthError('invalid_grant', 'The user may not use this application any more');
}

/**
 * Refuses a grant that was revoked since the sign-in, and ends its refresh family. A replay of the code, the end of the session,
 * and a new password revoke it. The check comes after the family begins, so that no family outlives the revocation.
 * @returns the stamp of the person
 * @throws OAuthError `invalid_grant`
 */
async function refuseRevoked(deps: IssueTokensDeps, grant: AuthorizationGrant): Promise<string | undefined> {
  const { familyId, sessionId, userId, authTime, began = authTime } = grant;
  const { revoked, stamp } = await deps.revocations.check({
    jti: familyId,
    sub: userId,
    family: familyId,
    session: sessionId,
    issuedAt: preciseSeconds(began),
  });
  if (!revoked) return stamp;
  await deps.refreshTokens.end({ id: familyId, userId });
  throw new OAuthError('invalid_grant', 'What was granted has been revoked');
}
