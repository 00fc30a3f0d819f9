import { serviceUserAudience } from '../issuance/audience.js';
import { type MakeTokensDeps, makeTokens } from '../issuance/make-tokens.js';
import { OAuthError } from '../protocol/oauth-error.js';
import type { Grant } from './grant.js';
import { tokenResponse } from './token-response.js';

/**
 * The client credentials grant (RFC 6749 section 4.4): a token for the service user itself. It stores
 * nothing.
 */
export function clientCredentialsGrant(deps: MakeTokensDeps): Grant {
  return {
    allows: (client) => client.kind === 'serviceUser',
    async prepare({ client }) {
      if (client.kind !== 'serviceUser') throw new OAuthError('unauthorized_client', 'Not for this client');
      const { serviceUser } = client;
      return {
        limit: { kind: 'serviceUser', orgId: serviceUser.orgId },
        async issue(scope) {
          const made = await makeTokens(deps, {
            subject: { kind: 'serviceUser', user: serviceUser },
            clientId: serviceUser.id,
            clientOrgId: serviceUser.orgId,
            audience: serviceUserAudience(deps.config.baseUrl, scope),
            scope,
            accessToken: serviceUser.accessTokenType,
            idToken: false,
            claimsInIdToken: false,
          });
          return tokenResponse({ ...made, scope });
        },
      };
    },
  };
}
