import { type Client, clientOrgId } from './clients/client.js';
import { isInAudience } from './clients/client-audience.js';
import { claimsText, joinObjects } from './issuance/claims-text.js';
import { type LiveTokenDeps, readLiveToken } from './issuance/read-live-token.js';

const inactive = '{"active":false}';

/**
 * Introspects an access token for a client in its audience, with the claims about the user that its scopes
 * contain. Any other token is reported as inactive, without a reason.
 * @returns the JSON text of the response (RFC 7662 section 2.2)
 */
export async function introspectToken(
  deps: LiveTokenDeps & { readonly config: { readonly baseUrl: string } },
  { token, client }: { token: string; client: Client },
): Promise<string> {
  const live = await readLiveToken(deps, token, ({ audience }) => isInAudience(client, audience));
  if (live === undefined) return inactive;
  const { claims, subject } = live;
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
  });
  const reader = { scope: claims.scope, clientOrgId: clientOrgId(client) };
  return joinObjects(ofToken, await claimsText(deps, subject, reader));
}
