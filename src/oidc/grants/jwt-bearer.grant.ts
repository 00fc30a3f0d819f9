import { parseScope } from '#src/authorization/scope.js';
import type { ServiceUser } from '#src/clients/service-users/index.js';
import { organizationStands } from '#src/organizations/index.js';
import type { AssertionIds } from '../clients/assertion-ids.store.js';
import { checkAssertion } from '../clients/check-assertion.js';
import { hasSingleAudience } from '../clients/client.js';
import { peekAtClaims, verifyClientJwt } from '../clients/verify-client-jwt.js';
import { serviceUserAudience } from '../issuance/audience.js';
import { type MakeTokensDeps, makeTokens } from '../issuance/make-tokens.js';
import { OAuthError } from '../protocol/oauth-error.js';
import { requireParameter } from '../protocol/parameters.js';
import type { Grant } from './grant.js';
import { tokenResponse } from './token-response.js';

export interface JwtBearerDeps extends MakeTokensDeps {
  readonly assertionIds: Pick<AssertionIds, 'use'>;
}

/**
 * The JWT profile grant (RFC 7523 section 2.1). The assertion, signed with a key of a service user, is the
 * only proof. Its issuer and its subject are the service user.
 */
export function jwtBearerGrant(deps: JwtBearerDeps): Grant {
  return {
    async authenticate(parameters) {
      const serviceUser = await whoSigned(deps, requireParameter(parameters, 'assertion'));
      if (serviceUser === undefined) throw refused();
      return { kind: 'serviceUser', serviceUser };
    },
    allows: (client) => client.kind === 'serviceUser',
    async prepare({ client }) {
      if (client.kind !== 'serviceUser') throw refused();
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
            idToken: parseScope(scope).known.includes('openid'),
            claimsInIdToken: false,
          });
          return tokenResponse({ ...made, scope });
        },
      };
    },
  };
}

/**
 * The active service user that signed the assertion with one of its keys. An assertion works once, with or without a `jti`.
 */
async function whoSigned(deps: JwtBearerDeps, assertion: string): Promise<ServiceUser | undefined> {
  const { caches, clock, config, assertionIds } = deps;
  const said = peekAtClaims(assertion)?.iss;
  if (typeof said !== 'string' || said.length > 300) return undefined;
  const user = await caches.serviceUsers.get(said);
  if (user === undefined || !user.active) return undefined;
  const claims = await verifyClientJwt(user.keys, assertion, clock.now());
  if (claims === undefined) return undefined;
  const single = hasSingleAudience({ kind: 'serviceUser', serviceUser: user });
  const audience = { issuer: config.baseUrl, endpoint: 'token' as const, single };
  const checked = checkAssertion(claims, { clientId: user.id, audience, clock });
  if (checked === undefined || !(await organizationStands(deps, user.orgId))) return undefined;
  const { jti, expires } = checked;
  return (await assertionIds.use({ issuer: user.id, jti, jwt: assertion, expires })) ? user : undefined;
}

/** RFC 7523 section 3.1. The error does not say which check failed. */
function refused(): OAuthError {
  return new OAuthError('invalid_grant', 'The assertion is invalid or expired');
}
