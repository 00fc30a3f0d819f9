import { type SignInRulesDeps, signInRefusedBy } from '#src/authentication/proofs/index.js';
import { claimsWithin } from '#src/authorization/requested-claims.js';
import { parseScope } from '#src/authorization/scope.js';
import { unixSeconds } from '#src/platform/clock.js';
import { actorsOf, type RefreshTokens } from '#src/tokens/refresh-tokens.js';
import type { RefreshFamily } from '#src/tokens/refresh-tokens.store.js';
import { mayUseApplication } from '../authorize/may-use-application.js';
import { type Client, clientId, clientOrgId, idTokenSettings } from '../clients/client.js';
import { audienceIdsOf } from '../clients/client-audience.js';
import { type RequirePersonDeps, requirePerson } from '../issuance/issue-tokens.js';
import { type MakeTokensDeps, makeTokens } from '../issuance/make-tokens.js';
import { type ImpersonationDeps, mayAllImpersonate } from '../issuance/may-impersonate.js';
import { type SignInsBehindDeps, signInsRefusedBy } from '../issuance/sign-ins-behind.js';
import { findSubject, type Subject } from '../issuance/subject.js';
import { OAuthError } from '../protocol/oauth-error.js';
import { requireParameter } from '../protocol/parameters.js';
import type { Grant } from './grant.js';
import { type RecordImpersonationDeps, recordImpersonation } from './record-impersonation.js';
import { tokenResponse } from './token-response.js';

export type RefreshTokenDeps = MakeTokensDeps &
  RequirePersonDeps &
  ImpersonationDeps &
  RecordImpersonationDeps &
  SignInRulesDeps &
  SignInsBehindDeps & { readonly refreshTokens: Pick<RefreshTokens, 'end' | 'find' | 'rotate'> };

/** The refresh token grant with rotation (RFC 6749 section 6, OpenID Connect Core section 12). */
export function refreshTokenGrant(deps: RefreshTokenDeps): Grant {
  return {
    allows: (client) =>
      client.kind === 'serviceUser' || client.application.grantTypes.includes('refresh_token'),

    async prepare({ client, parameters }) {
      const shown = await deps.refreshTokens.find(requireParameter(parameters, 'refresh_token'));
      if (shown === undefined || shown.family.clientId !== clientId(client)) throw refused();
      const { family } = shown;
      return {
        limit: { kind: 'granted', scope: family.scope },
        audienceFor: (scope) => audienceFor(client, family, scope),
        async issue(scope) {
          const subject = await requireSubject(deps, client, family);
          // In parallel: if the rotation fails, the tokens are never sent.
          const [refreshToken, made] = await Promise.all([
            deps.refreshTokens.rotate(shown),
            makeTokens(deps, orderOf(client, { family, subject, scope })),
          ]);
          if (refreshToken === undefined) throw refused();
          const { act } = family;
          const audience = audienceFor(client, family, scope);
          const about = { actors: actorsOf(act), subject, clientId: family.clientId, scope, audience };
          await recordImpersonation(deps, about);
          return tokenResponse({ ...made, refreshToken, scope });
        },
      };
    },
  };
}

function refused(): OAuthError {
  return new OAuthError('invalid_grant', 'The refresh token is invalid, expired or revoked');
}

/** The conditions under which the family began must still be true. */
async function requireSubject(
  deps: RefreshTokenDeps,
  client: Client,
  family: RefreshFamily,
): Promise<Subject> {
  const { userId, orgId, scope, act } = family;
  const subject =
    client.kind === 'application'
      ? await requirePerson(deps, { application: client.application, grant: family })
      : await findSubject(deps, { sub: userId, org: orgId });
  if (subject === undefined || !belongsToAll(subject, scope)) throw refused();
  if (!(await stillMeets(deps, client, { family, subject }))) {
    await deps.refreshTokens.end(family);
    throw refused();
  }
  const impersonation = { actors: actorsOf(act), target: subject, clientOrgId: clientOrgId(client) };
  if (!(await mayAllImpersonate(deps, impersonation))) throw refused();
  return subject;
}

/** Whether the sign-in still is what the organization and the application demand, and the person may still use the application. */
async function stillMeets(
  deps: RefreshTokenDeps,
  client: Client,
  { family, subject }: { family: RefreshFamily; subject: Subject },
): Promise<boolean> {
  const application = client.kind === 'application' ? client.application : undefined;
  const { authTime, origins, amr } = family;
  const least = application?.acr;
  let refusing: Awaited<ReturnType<typeof signInRefusedBy>>;
  // A family of an exchange is as strong as the sign-ins of the exchanged tokens. One without a time is of no sign-in.
  if (origins !== undefined) refusing = await signInsRefusedBy(deps, { origins, subject, amr }, least);
  else if (authTime !== undefined) refusing = await signInRefusedBy(deps, family, least);
  if (refusing !== undefined) return false;
  return application === undefined || mayUseApplication(deps, application, family.userId);
}

function belongsToAll(subject: Subject, scope: string): boolean {
  return parseScope(scope).organizations.every((orgId) => orgId === subject.user.orgId);
}

/**
 * The audience for a scope of the family. Without the scope that named a project, the token is not for that project. An
 * exchange chose its audience apart from its scope.
 */
function audienceFor(
  client: Client,
  { scope: granted, audience, origins }: RefreshFamily,
  scope: string,
): readonly string[] {
  if (origins !== undefined) return audience;
  const covered = [...parseScope(scope).projects, ...audienceIdsOf(client)];
  const dropped = parseScope(granted).projects.filter((id) => !covered.includes(id));
  return audience.filter((id) => !dropped.includes(id));
}

/**
 * A family outlives the sign-out of the person, so its access tokens belong to the family and not to the
 * session.
 */
function orderOf(
  client: Client,
  { family, subject, scope }: { family: RefreshFamily; subject: Subject; scope: string },
) {
  const { id, claims, sessionId, authTime, amr, act, origins, notAfter } = family;
  const settings = client.kind === 'application' ? client.application : client.serviceUser;
  return {
    subject,
    clientId: settings.id,
    clientOrgId: settings.orgId,
    audience: audienceFor(client, family, scope),
    scope,
    claims: claimsWithin(claims, { granted: family.scope, scope }),
    accessToken: settings.accessTokenType,
    idToken: parseScope(scope).known.includes('openid'),
    ...idTokenSettings(client),
    familyId: id,
    sid: sessionId,
    authTime,
    amr,
    act,
    origins,
    notAfter: notAfter && unixSeconds(notAfter),
  };
}
