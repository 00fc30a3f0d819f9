import type { Description, JsonSchema } from '#src/http/base/description.js';

const text = { type: 'string' };
const url = { type: 'string', format: 'uri' };
const list = { type: 'array', items: text };
const flag = { type: 'boolean' };

/** The members of the provider metadata that this service has, by their type. */
const members: readonly [schema: JsonSchema, names: string][] = [
  [
    url,
    `issuer authorization_endpoint token_endpoint introspection_endpoint revocation_endpoint userinfo_endpoint
    end_session_endpoint jwks_uri`,
  ],
  [
    list,
    `scopes_supported response_types_supported response_modes_supported grant_types_supported subject_types_supported
    id_token_signing_alg_values_supported token_endpoint_auth_methods_supported
    token_endpoint_auth_signing_alg_values_supported introspection_endpoint_auth_methods_supported
    introspection_endpoint_auth_signing_alg_values_supported revocation_endpoint_auth_methods_supported
    revocation_endpoint_auth_signing_alg_values_supported code_challenge_methods_supported prompt_values_supported
    acr_values_supported claim_types_supported claims_supported ui_locales_supported`,
  ],
  [
    flag,
    `claims_parameter_supported request_parameter_supported request_uri_parameter_supported
    authorization_response_iss_parameter_supported`,
  ],
];

const properties = Object.fromEntries(
  members.flatMap(([schema, names]) =>
    names
      .trim()
      .split(/\s+/)
      .map((name) => [name, schema]),
  ),
);

/** Provider metadata (OpenID Connect Discovery 1.0 section 3). */
export function describeDiscovery(): Description {
  const schema = {
    title: 'ProviderMetadata',
    description: 'OpenID Connect Discovery 1.0 section 3, RFC 8414 section 2',
    type: 'object',
    required: Object.keys(properties),
    properties,
    additionalProperties: false,
  };
  return {
    responses: { 200: { description: 'The metadata', content: { 'application/json': { schema } } } },
  };
}

const jwk: JsonSchema = {
  title: 'PublicKey',
  description: 'A JSON Web Key (RFC 7517) that verifies tokens',
  type: 'object',
  required: ['kid', 'kty', 'alg', 'use'],
  properties: { kid: text, kty: text, alg: text, use: { const: 'sig' } },
  additionalProperties: { description: 'The parameters of the key' },
};

/** The key set (RFC 7517 section 5). */
export function describeKeys(): Description {
  const schema = {
    title: 'KeySet',
    type: 'object',
    required: ['keys'],
    properties: { keys: { type: 'array', items: jwk } },
    additionalProperties: false,
  };
  return { responses: { 200: { description: 'The keys', content: { 'application/json': { schema } } } } };
}

/** Claims about a person (OpenID Connect Core section 5.3). */
export function describeUserinfo(): Description {
  const schema = {
    title: 'Userinfo',
    description: 'Claims about the user that the scopes of the token contain',
    type: 'object',
    required: ['sub'],
    properties: {
      sub: { type: 'string', description: 'Identifier of the user' },
      name: text,
      given_name: text,
      family_name: text,
      preferred_username: text,
      email: text,
      email_verified: flag,
      phone_number: text,
      phone_number_verified: flag,
      locale: text,
      zoneinfo: text,
      updated_at: { type: 'integer', description: 'Seconds since 1970' },
    },
    additionalProperties: { description: 'Further claims' },
  };
  return {
    responses: { 200: { description: 'The claims', content: { 'application/json': { schema } } } },
    errors: [401],
  };
}

/** The same, with the token in a form (RFC 6750 section 2.2). */
export function describePostedUserinfo(): Description {
  const schema = {
    type: 'object',
    properties: { access_token: { type: 'string', description: 'The token, if no header has it' } },
  };
  return {
    ...describeUserinfo(),
    body: { 'application/x-www-form-urlencoded': { schema } },
    bodyOptional: true,
  };
}
