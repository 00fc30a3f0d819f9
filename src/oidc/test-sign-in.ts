import { decodeJwt } from 'jose';
import { parseScope } from '#src/authorization/scope.js';
import type { Application } from '#src/clients/applications/index.js';
import { newId } from '#src/platform/ids.js';
import type { RevocationList } from '#src/tokens/revocation.js';
import { type AuthorizationCodeDeps, redeemFor } from './grants/authorization-code.grant.js';
import { introspectToken } from './introspect-token.js';
import { type ClaimOrigin, claimOriginOf } from './issuance/claim-origin.js';
import { issueTokens } from './issuance/issue-tokens.js';
import { type LiveTokenDeps, readLiveToken } from './issuance/read-live-token.js';
import { type RefusedProjectDeps, refusedProject } from './issuance/refused-project.js';
import { userinfoText } from './issuance/userinfo-text.js';
import { OAuthError } from './protocol/oauth-error.js';
import { revokeToken } from './revoke-token.js';

/** A claim that the application would see. */
type SeenClaim = ClaimOrigin & { readonly name: string; readonly value: unknown };

/** What an application would get for a code: the claims of its tokens, never a token. */
interface TestedSignIn {
  readonly scope: string;
  readonly idToken: readonly SeenClaim[];
  readonly userinfo: readonly SeenClaim[];
  readonly accessToken: {
    readonly form: 'opaque' | 'jwt';
    readonly audience: readonly string[];
    /** The content of a JWT. An opaque token has none that anybody could read. */
    readonly claims: readonly SeenClaim[];
    /** What introspection answers to the application, and to every API in the audience. */
    readonly introspection: readonly SeenClaim[];
    /** What it answers to an API that is not in the audience. Its log has the reason. */
    readonly elsewhere: { readonly answer: unknown; readonly reason?: string };
  };
}

/** The code of a test, and what proves that the caller began it. */
interface TestedCode {
  readonly code: string;
  readonly codeVerifier: string;
  readonly redirectUri: string;
}

/** Tells what an application would get for a code, or in words why it gets nothing. */
export type TestSignIn = (
  application: Application,
  tested: TestedCode,
) => Promise<TestedSignIn | { readonly refused: string }>;

type Deps = AuthorizationCodeDeps &
  LiveTokenDeps &
  RefusedProjectDeps & {
    readonly revocations: Pick<RevocationList, 'check' | 'stampOf' | 'isRevoked' | 'record' | 'publish'>;
    readonly refreshTokens: Parameters<typeof revokeToken>[0]['refreshTokens'];
  };

/**
 * Redeems codes of test sign-ins. The tokens are made as for the application, read, and revoked before the result is returned. No token
 * leaves this function. The caller must have authority over the application, because the claims are about the person who signed in.
 */
export function createTestSignIn(deps: Deps): TestSignIn {
  return async (application, tested) => {
    try {
      return await testSignIn(deps, application, tested);
    } catch (error) {
      if (!(error instanceof OAuthError)) throw error;
      return { refused: error.message };
    }
  };
}

async function testSignIn(
  deps: Deps,
  application: Application,
  { code, codeVerifier, redirectUri }: TestedCode,
): Promise<TestedSignIn> {
  const grant = await redeemFor(deps, application, { code, redirectUri, verifier: codeVerifier });
  const refused = await refusedProject(deps, parseScope(grant.scope).projects, application.orgId);
  if (refused !== undefined) throw new OAuthError('invalid_scope', refused);
  const issue = { accessToken: true, idToken: true, refreshToken: false };
  const { accessToken = '', idToken, scope } = await issueTokens(deps, { application, grant, issue, code });
  try {
    return { scope, idToken: claimsOfJwt(idToken), ...(await readTokens(deps, application, accessToken)) };
  } finally {
    await revokeToken(deps, { token: accessToken, clientId: application.id });
  }
}

async function readTokens(
  deps: Deps,
  application: Application,
  token: string,
): Promise<Pick<TestedSignIn, 'userinfo' | 'accessToken'>> {
  const live = await readLiveToken(deps, token);
  if (live === undefined) throw new OAuthError('invalid_grant', 'The token ended while it was read');
  let reason: string | undefined;
  // Nothing is noted in the log of the application: no API asked.
  const noteToken = (refusal: { readonly reason: string }) => {
    reason = refusal.reason;
  };
  const introspect = (asking: Application) =>
    introspectToken(
      { ...deps, refusedAuthentications: { noteToken } },
      { token, client: { kind: 'application', application: asking }, address: '' },
    );
  const [userinfo, introspection] = await Promise.all([userinfoText(deps, live), introspect(application)]);
  const { projectId: _project, ...withoutProject } = application;
  const elsewhere = JSON.parse(await introspect({ ...withoutProject, id: newId() }));
  const form = application.accessTokenType;
  return {
    userinfo: seen(JSON.parse(userinfo)),
    accessToken: {
      form,
      audience: live.claims.audience,
      claims: form === 'jwt' ? claimsOfJwt(token) : [],
      introspection: seen(JSON.parse(introspection)),
      elsewhere: { answer: elsewhere, ...(reason !== undefined && { reason }) },
    },
  };
}

function claimsOfJwt(token: string | undefined): SeenClaim[] {
  return token === undefined ? [] : seen(decodeJwt(token));
}

function seen(claims: object): SeenClaim[] {
  return Object.entries(claims).map(([name, value]) => ({ name, value, ...claimOriginOf(name) }));
}
