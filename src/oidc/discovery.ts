import { personClaims } from '#src/authorization/requested-claims.js';
import { plainScopes } from '#src/authorization/scope.js';
import { authMethods, tokenExchangeType } from '#src/clients/applications/index.js';
import { assertionAlgorithms } from '#src/clients/credentials/index.js';
import { scimScopes } from '#src/clients/service-users/index.js';
import { acrValues } from '#src/directory/index.js';
import { languages } from '#src/http/base/language.js';
import { clientOrganizationClaim } from '#src/tokens/access-token-claims.js';

/** Introspection refuses clients without a secret or a key. */
const strongAuthMethods = authMethods.filter((method) => method !== 'none');

const tokenClaims = ['iss', 'sub', 'aud', 'azp', 'exp', 'iat', 'auth_time', 'nonce', 'amr', 'acr'];
const boundClaims = ['at_hash', 'c_hash', 'sid', 'act'];
/**
 * The metadata of this provider (OpenID Connect Discovery 1.0 section 3, RFC 8414 section 2, RFC 9207 section
 * 3).
 * @param options values that may change while the process runs
 */
export function discoveryDocument(
  issuer: string,
  options: { signingAlgorithms: readonly string[]; tokenExchange: boolean },
) {
  return {
    issuer,
    authorization_endpoint: `${issuer}/oauth/v2/authorize`,
    token_endpoint: `${issuer}/oauth/v2/token`,
    introspection_endpoint: `${issuer}/oauth/v2/introspect`,
    revocation_endpoint: `${issuer}/oauth/v2/revoke`,
    userinfo_endpoint: `${issuer}/oidc/v1/userinfo`,
    end_session_endpoint: `${issuer}/oidc/v1/end_session`,
    jwks_uri: `${issuer}/oauth/v2/keys`,
    scopes_supported: [...plainScopes, ...scimScopes],
    response_types_supported: ['code', 'id_token', 'id_token token'],
    response_modes_supported: ['query', 'fragment', 'form_post'],
    grant_types_supported: [
      'authorization_code',
      'implicit',
      'refresh_token',
      'client_credentials',
      'urn:ietf:params:oauth:grant-type:jwt-bearer',
      ...(options.tokenExchange ? [tokenExchangeType] : []),
    ],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: options.signingAlgorithms,
    token_endpoint_auth_methods_supported: authMethods,
    token_endpoint_auth_signing_alg_values_supported: assertionAlgorithms,
    introspection_endpoint_auth_methods_supported: strongAuthMethods,
    introspection_endpoint_auth_signing_alg_values_supported: assertionAlgorithms,
    revocation_endpoint_auth_methods_supported: authMethods,
    revocation_endpoint_auth_signing_alg_values_supported: assertionAlgorithms,
    code_challenge_methods_supported: ['S256'],
    prompt_values_supported: ['none', 'login', 'consent', 'select_account', 'create'],
    acr_values_supported: acrValues,
    claim_types_supported: ['normal'],
    claims_supported: [...tokenClaims, ...boundClaims, ...personClaims, clientOrganizationClaim],
    claims_parameter_supported: true,
    request_parameter_supported: false,
    request_uri_parameter_supported: false,
    authorization_response_iss_parameter_supported: true,
    ui_locales_supported: languages,
  };
}
