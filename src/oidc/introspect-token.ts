import {
  type AccessTokenClaims,
  clientOrganizationClaim,
  userOrganizationClaim,
} from '#src/tokens/access-token-claims.js';
import { type Client, claimsSettings } from './clients/client.js';
import { acceptsToken, isInAudience } from './clients/client-audience.js';
import type { RefusedAuthentications } from './clients/refused-authentications.js';
import { claimsText, joinObjects } from './issuance/claims-text.js';
import { type LiveTokenDeps, readLiveToken } from './issuance/read-live-token.js';
import type { RefusedProjectDeps } from './issuance/refused-project.js';
import { asksForOrganization } from './issuance/user-claims.js';

const inactive = '{"active":false}';

/**
 * Introspects an access token for a client in its audience, with the claims about the user that its scopes
 * contain, and the organizations of the user and of the client. Any other token is reported as inactive, without a reason. The log of
 * the organization has the reason if a valid token is not for the client.
 * @returns the JSON text of the response (RFC 7662 section 2.2)
 */
export async function introspectToken(
  deps: LiveTokenDeps &
    RefusedProjectDeps & {
      readonly config: { readonly baseUrl: string };
      readonly refusedAuthentications: Pick<RefusedAuthentications, 'noteToken'>;
    },
  request: { token: string; client: Client; address: string; userAgent?: string | undefined },
): Promise<string> {
  const { token, client, address, userAgent } = request;
  const refuse = (refused: AccessTokenClaims, reason: 'tokenNotForClient' | 'projectRefusesClient') =>
    deps.refusedAuthentications.noteToken({ client, token: refused, reason, address, userAgent });
  const live = await readLiveToken(deps, token, (claims) => {
    if (isInAudience(client, claims.audience)) return true;
    refuse(claims, 'tokenNotForClient');
    return false;
  });
  if (live === undefined) return inactive;
  const { claims, subject, clientOrgId } = live;
  if (!(await acceptsToken(deps, client, { audience: claims.audience, clientOrgId }))) {
    refuse(claims, 'projectRefusesClient');
    return inactive;
  }
  const issuedAt = Math.floor(claims.issuedAt);
  const ofToken = JSON.stringify({
    active: true,
    scope: claims.scope,
    client_id: claims.clientId,
    username: subject.user.userName,
    token_type: 'Bearer',
    exp: claims.expiresAt,
    iat: issuedAt,
    nbf: issuedAt,
    sub: claims.sub,
    aud: claims.audience,
    iss: deps.config.baseUrl,
    jti: claims.jti,
    act: claims.act,
    // A scope that asks for the organization brings this claim with the others about it.
    ...(!asksForOrganization(claims.scope) && { [userOrganizationClaim]: claims.org }),
    [clientOrganizationClaim]: clientOrgId,
  });
  const reader = { ...claimsSettings(client), scope: claims.scope, audience: claims.audience };
  return joinObjects(ofToken, await claimsText(deps, subject, reader));
}
