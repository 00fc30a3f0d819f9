import { ageTime, amrOf, levelForRules } from '#src/authentication/proofs/index.js';
import type { AuthorizationRequest } from '#src/authorization/authorization-request.js';
import type { Application } from '#src/clients/applications/index.js';
import { newId } from '#src/platform/ids.js';
import { connectionIdsOf } from '#src/sessions/session.js';
import type { AuthorizationGrant } from '../issuance/authorization-grant.js';
import { type IssueTokensDeps, issueTokens } from '../issuance/issue-tokens.js';
import type { ChosenSession } from './choose-session.js';
import type { CodesStore } from './codes.store.js';

export interface RespondDeps extends IssueTokensDeps {
  readonly codes: Pick<CodesStore, 'issue'>;
}

/** A person's session that answers a request of an application, and its proofs that count for it. */
export interface Granted extends ChosenSession {
  readonly request: AuthorizationRequest;
  readonly application: Application;
}

/** The parameters of a successful response (OpenID Connect Core sections 3.1.2.5 and 3.2.2.5). */
export async function respond(deps: RespondDeps, granted: Granted): Promise<Record<string, string>> {
  const { request, application } = granted;
  const grant = grantOf(granted);
  if (request.responseType === 'code') return { code: await deps.codes.issue(grant) };

  const withAccessToken = request.responseType === 'id_token token';
  const { accessToken, idToken, expiresIn, scope } = await issueTokens(deps, {
    application,
    grant: { ...grant, familyId: newId() },
    issue: { accessToken: withAccessToken, idToken: true, refreshToken: false },
  });
  return {
    ...(accessToken !== undefined && { access_token: accessToken }),
    token_type: 'Bearer',
    expires_in: String(expiresIn),
    scope,
    ...(idToken !== undefined && { id_token: idToken }),
  };
}

function grantOf({ request, application, session, proofs }: Granted): Omit<AuthorizationGrant, 'familyId'> {
  const { clientId, redirectUri, scope, claims, acrValues, nonce, codeChallenge } = request;
  const { userId, orgId, id: sessionId } = session;
  // An application that demands a level knows it.
  const acrs = claims?.acrs ?? acrValues ?? (application.acr && [application.acr]);
  const connectionIds = connectionIdsOf(session);
  return {
    clientId,
    redirectUri,
    userId,
    orgId,
    sessionId,
    scope,
    ...((claims !== undefined || acrs !== undefined) && { claims: { ...claims, ...(acrs && { acrs }) } }),
    ...(nonce !== undefined && { nonce }),
    ...(codeChallenge !== undefined && { codeChallenge }),
    authTime: new Date(Math.min(...proofs.map(ageTime))),
    began: new Date(Math.min(...proofs.map(({ time }) => time))),
    amr: amrOf(proofs),
    proofs,
    policyAcr: levelForRules(proofs),
    ...(connectionIds.length > 0 && { connectionIds }),
  };
}
