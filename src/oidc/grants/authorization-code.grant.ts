import type { Application } from '#src/clients/applications/index.js';
import type { RefreshTokens } from '#src/tokens/refresh-tokens.js';
import { type CodesStore, familyOf } from '../authorize/codes.store.js';
import type { AuthorizationGrant } from '../issuance/authorization-grant.js';
import { type IssueTokensDeps, issueTokens } from '../issuance/issue-tokens.js';
import { OAuthError } from '../protocol/oauth-error.js';
import { requireParameter } from '../protocol/parameters.js';
import type { Grant } from './grant.js';
import { tokenResponse } from './token-response.js';
import { verifyCodeVerifier } from './verify-code-verifier.js';

export interface AuthorizationCodeDeps extends IssueTokensDeps {
  readonly codes: Pick<CodesStore, 'redeem'>;
  readonly refreshTokens: Pick<RefreshTokens, 'begin' | 'end' | 'endById'>;
}

/** The authorization code grant (RFC 6749 section 4.1.3, OpenID Connect Core section 3.1.3). */
export function authorizationCodeGrant(deps: AuthorizationCodeDeps): Grant {
  return {
    allows: (client) =>
      client.kind === 'application' && client.application.grantTypes.includes('authorization_code'),

    async prepare({ client, parameters }) {
      if (client.kind !== 'application') throw new OAuthError('unauthorized_client', 'Not for this client');
      const { application } = client;
      const code = requireParameter(parameters, 'code');
      const redirectUri = requireParameter(parameters, 'redirect_uri');
      const verifier = parameters.get('code_verifier');
      const grant = await redeemFor(deps, application, { code, redirectUri, verifier });
      const issue = { accessToken: true, idToken: true, refreshToken: true };
      return {
        limit: { kind: 'fixed', scope: grant.scope },
        issue: async () => tokenResponse(await issueTokens(deps, { application, grant, issue, code })),
      };
    },
  };
}

/** What a client shows to redeem a code. */
interface ShownCode {
  readonly code: string;
  readonly redirectUri: string;
  readonly verifier: string | undefined;
}

/**
 * Redeems the code of an application. This uses up the code, even if the rest of the request is wrong.
 * @throws OAuthError `invalid_grant`
 */
export async function redeemFor(
  deps: Pick<AuthorizationCodeDeps, 'codes' | 'refreshTokens'>,
  { id, authMethod }: Pick<Application, 'id' | 'authMethod'>,
  { code, redirectUri, verifier }: ShownCode,
): Promise<AuthorizationGrant> {
  const grant = await redeem(deps, code);
  if (grant.clientId !== id) {
    throw new OAuthError('invalid_grant', 'The code was issued to another client');
  }
  if (grant.redirectUri !== redirectUri) {
    throw new OAuthError('invalid_grant', 'The redirect_uri is not that of the authorization request');
  }
  verifyCodeVerifier({ challenge: grant.codeChallenge, verifier, required: authMethod === 'none' });
  return grant;
}

/**
 * Redeems the code. If it was redeemed before, everything that the first redemption issued ends.
 * @throws OAuthError `invalid_grant`
 */
async function redeem(
  { codes, refreshTokens }: Pick<AuthorizationCodeDeps, 'codes' | 'refreshTokens'>,
  code: string,
): Promise<AuthorizationGrant> {
  const redeemed = await codes.redeem(code);
  if (redeemed !== undefined && 'grant' in redeemed) return redeemed.grant;
  if (redeemed !== undefined)
    await refreshTokens.end({ id: redeemed.replayedFamilyId, userId: redeemed.userId });
  // The code may have been redeemed so long ago that only its refresh family exists.
  else await refreshTokens.endById(familyOf(code));
  throw new OAuthError('invalid_grant', 'The code is invalid, expired or used');
}
