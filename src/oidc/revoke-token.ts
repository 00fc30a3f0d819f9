import type { AccessTokens } from '#src/tokens/access-token.js';
import type { RefreshTokens } from '#src/tokens/refresh-tokens.js';
import type { RevocationList } from '#src/tokens/revocation.js';
import { OAuthError } from './protocol/oauth-error.js';

interface RevokeTokenDeps {
  readonly accessTokens: Pick<AccessTokens, 'read'>;
  readonly refreshTokens: Pick<RefreshTokens, 'find' | 'end'>;
  readonly revocations: Pick<RevocationList, 'record' | 'publish'>;
}

/**
 * Revokes a token of this client (RFC 7009 section 2.1). An access token is revoked alone, a refresh token
 * with every token of its family. For a malformed, expired or unknown token nothing needs to be done.
 * @throws OAuthError `invalid_client` for a token of another client
 */
export async function revokeToken(
  deps: RevokeTokenDeps,
  { token, clientId }: { token: string; clientId: string },
): Promise<void> {
  const refresh = await deps.refreshTokens.find(token);
  if (refresh !== undefined) {
    requireOwn(refresh.family.clientId, clientId);
    return deps.refreshTokens.end(refresh.family);
  }
  const claims = await deps.accessTokens.read(token);
  if (claims === undefined) return;
  requireOwn(claims.clientId, clientId);
  const revocation = {
    kind: 'token' as const,
    id: claims.jti,
    sub: claims.sub,
    issuedUntil: claims.issuedAt,
    expires: new Date(claims.expiresAt * 1000),
  };
  await deps.revocations.record(revocation);
  await deps.revocations.publish(revocation);
}

function requireOwn(owner: string, clientId: string): void {
  if (owner !== clientId) throw new OAuthError('invalid_client', 'The token was issued to another client');
}
