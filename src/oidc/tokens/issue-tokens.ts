import type { Application } from '#src/directory/application.js';
import { preciseSeconds } from '#src/platform/clock.js';
import type { RefreshTokens } from '#src/tokens/refresh-tokens.js';
import type { RevocationList } from '#src/tokens/revocation.js';
import type { AuthorizationGrant } from '../authorize/authorization-request.js';
import { OAuthError } from '../protocol/oauth-error.js';
import { parseScope } from '../protocol/scope.js';
import { personAudience } from './audience.js';
import { type MakeTokensDeps, makeTokens } from './make-tokens.js';
import { findSubject, type Subject, type SubjectDeps } from './subject.js';

export interface IssueTokensDeps extends MakeTokensDeps {
  readonly refreshTokens: Pick<RefreshTokens, 'begin' | 'end'>;
  readonly revocations: Pick<RevocationList, 'isRevoked' | 'stampOf'>;
}

/** What is issued for a person's grant. */
export interface IssueRequest {
  readonly application: Application;
  readonly grant: AuthorizationGrant;
  /** A refresh token is issued only where the scope has `offline_access` and the application may refresh. */
  readonly issue: {
    readonly accessToken: boolean;
    readonly idToken: boolean;
    readonly refreshToken: boolean;
  };
  /** The code that was redeemed: bound to the ID token by `c_hash`. */
  readonly code?: string;
}

export interface IssuedTokens {
  readonly accessToken?: string;
  readonly idToken?: string;
  readonly refreshToken?: string;
  /** Seconds. */
  readonly expiresIn: number;
  /** Space-delimited. */
  readonly scope: string;
}

/**
 * Issues the tokens of what a person granted to an application: for a code, or at once for the implicit response
 * types (OpenID Connect Core sections 3.1.3.3 and 3.2.2.5).
 * @throws OAuthError `invalid_grant` when the person is gone or may not use the application, or what was granted
 * was revoked in between
 */
export async function issueTokens(deps: IssueTokensDeps, request: IssueRequest): Promise<IssuedTokens> {
  const { application, grant, issue } = request;
  const { scope, familyId, sessionId } = grant;
  const subject = await requirePerson(deps, request);
  const audience = personAudience(application, scope);
  const making = makeTokens(deps, {
    subject,
    clientId: application.id,
    clientOrgId: application.orgId,
    audience,
    scope,
    ...(issue.accessToken && { accessToken: application.accessTokenType }),
    idToken: issue.idToken && parseScope(scope).known.includes('openid'),
    claimsInIdToken: application.idTokenUserinfoAssertion,
    familyId,
    sessionId,
    nonce: grant.nonce,
    authTime: grant.authTime,
    amr: grant.amr,
    code: request.code,
  });
  if (!issue.refreshToken || !mayRefresh(application, scope)) {
    const [made] = await Promise.all([making, requireUnrevoked(deps, grant)]);
    return { ...made, scope };
  }
  // Both at once: a family whose token is never sent ends by itself.
  const beginning = deps.refreshTokens.begin({
    id: familyId,
    clientId: application.id,
    userId: grant.userId,
    orgId: grant.orgId,
    scope,
    audience,
    sessionId,
    authTime: grant.authTime,
    amr: grant.amr,
  });
  const [made, refreshToken] = await Promise.all([making, beginning]);
  await requireUnrevoked(deps, grant);
  return { ...made, refreshToken, scope };
}

/** Whether a refresh token may be issued (OpenID Connect Core section 11). */
export function mayRefresh({ grantTypes }: Pick<Application, 'grantTypes'>, scope: string): boolean {
  return grantTypes.includes('refresh_token') && parseScope(scope).known.includes('offline_access');
}

export type RequirePersonDeps = SubjectDeps & { readonly revocations: Pick<RevocationList, 'stampOf'> };

/**
 * The person of a grant, active and allowed to use the application with this scope.
 * @throws OAuthError `invalid_grant`
 */
export async function requirePerson(
  deps: RequirePersonDeps,
  {
    application,
    grant,
  }: { application: Application; grant: Pick<AuthorizationGrant, 'userId' | 'orgId' | 'scope'> },
): Promise<Subject> {
  const { userId: sub, orgId: org } = grant;
  const stamp = await deps.revocations.stampOf(sub);
  const subject = await findSubject(deps, { sub, org, stamp });
  const allowed =
    subject !== undefined &&
    (!application.orgOnly || subject.user.orgId === application.orgId) &&
    parseScope(grant.scope).organizations.every((orgId) => orgId === subject.user.orgId);
  if (!allowed) throw new OAuthError('invalid_grant', 'The user may not use this application any more');
  return subject;
}

/**
 * A replay of the code, the end of the session, or a new password may have come since the person signed in: then what
 * that gave is worth nothing. Where a family is begun this is asked afterwards, so that none outlives what ends it.
 */
async function requireUnrevoked(deps: IssueTokensDeps, grant: AuthorizationGrant): Promise<void> {
  const { familyId, sessionId, userId, authTime } = grant;
  const revoked = await deps.revocations.isRevoked({
    jti: familyId,
    sub: userId,
    family: familyId,
    session: sessionId,
    issuedAt: preciseSeconds(authTime),
  });
  if (!revoked) return;
  await deps.refreshTokens.end({ id: familyId, userId });
  throw new OAuthError('invalid_grant', 'What was granted has been revoked');
}
