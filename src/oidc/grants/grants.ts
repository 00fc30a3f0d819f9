import { tokenExchangeType } from '#src/clients/applications/index.js';
import { type AuthorizationCodeDeps, authorizationCodeGrant } from './authorization-code.grant.js';
import { clientCredentialsGrant } from './client-credentials.grant.js';
import type { Grant } from './grant.js';
import { type JwtBearerDeps, jwtBearerGrant } from './jwt-bearer.grant.js';
import { type RefreshTokenDeps, refreshTokenGrant } from './refresh-token.grant.js';
import { type TokenExchangeDeps, tokenExchangeGrant } from './token-exchange.grant.js';

type GrantDeps = AuthorizationCodeDeps & RefreshTokenDeps & JwtBearerDeps & TokenExchangeDeps;

/** Every grant of the token endpoint by its `grant_type`. */
export function createGrants(deps: GrantDeps): ReadonlyMap<string, Grant> {
  return new Map([
    ['authorization_code', authorizationCodeGrant(deps)],
    ['refresh_token', refreshTokenGrant(deps)],
    ['client_credentials', clientCredentialsGrant(deps)],
    ['urn:ietf:params:oauth:grant-type:jwt-bearer', jwtBearerGrant(deps)],
    [tokenExchangeType, tokenExchangeGrant(deps)],
  ]);
}
