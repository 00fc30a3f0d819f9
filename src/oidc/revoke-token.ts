import type { AccessTokens } from '#src/tokens/access-token.js';
import type { RevocationList } from '#src/tokens/revocation.js';
import { OAuthError } from './protocol/oauth-error.js';

/**
 * Revokes an access token of this client (RFC 7009 section 2.1). A token that is malformed, expired or unknown
 * is as good as revoked.
 * @throws OAuthError `invalid_client` for another client's token
 */
export async function revokeToken(
  { accessTokens, revocations }: { accessTokens: AccessTokens; revocations: RevocationList },
  { token, clientId }: { token: string; clientId: string },
): Promise<void> {
  const claims = await accessTokens.read(token);
  if (claims === undefined) return;
  if (claims.clientId !== clientId) {
    throw new OAuthError('invalid_client', 'The token was issued to another client');
  }
  const revocation = {
    kind: 'token' as const,
    id: claims.jti,
    sub: claims.sub,
    issuedUntil: claims.issuedAt,
    expires: new Date(claims.expiresAt * 1000),
  };
  await revocations.record(revocation);
  await revocations.publish(revocation);
}
