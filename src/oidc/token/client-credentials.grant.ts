import type { ServiceUser } from '#src/directory/service-user.js';
import { type Clock, unixSeconds } from '#src/platform/clock.js';
import { newId } from '#src/platform/ids.js';
import type { AccessTokens } from '#src/tokens/access-token.js';
import type { RequestedScope } from './scope.js';
import type { TokenResponse } from './token-response.js';

/** The client credentials grant (RFC 6749 section 4.4): a token for the service user itself. Nothing is stored. */
export async function clientCredentialsGrant(
  deps: { accessTokens: AccessTokens; clock: Clock; issuer: string; accessTokenSeconds: number },
  client: ServiceUser,
  { scope, audience }: RequestedScope,
): Promise<TokenResponse> {
  const issuedAt = unixSeconds(deps.clock.now());
  const claims = {
    jti: newId(),
    sub: client.id,
    org: client.orgId,
    clientId: client.id,
    username: client.userName,
    audience: [deps.issuer, ...audience],
    scope,
    issuedAt,
    expiresAt: issuedAt + deps.accessTokenSeconds,
  };
  return {
    access_token: await deps.accessTokens.issue(claims, client.accessTokenType),
    token_type: 'Bearer',
    expires_in: deps.accessTokenSeconds,
    scope,
  };
}
