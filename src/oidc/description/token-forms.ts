import { tokenExchangeType } from '#src/clients/applications/index.js';
import type { Description, JsonSchema } from '#src/http/base/description.js';
import { tokenTypes } from '../grants/exchange/token-types.js';
import { clientParameters, formOf, nonEmptyText, parameters, text } from './forms.js';

const jwtBearerType = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
const { accessToken, idToken, jwt, userId } = tokenTypes;

const scope = text('Scopes, separated by spaces');
const granted = text('Part of the granted scopes, separated by spaces. All of them if absent');

/** The form of a grant. */
function grantForm(
  type: string,
  title: string,
  [properties, required]: [Readonly<Record<string, JsonSchema>>, readonly string[]],
): JsonSchema {
  return {
    ...parameters({ grant_type: { const: type }, ...properties, ...clientParameters }, [
      'grant_type',
      ...required,
    ]),
    title,
  };
}

const forms: readonly JsonSchema[] = [
  grantForm('authorization_code', 'AuthorizationCodeForm', [
    {
      code: nonEmptyText('The code of the authorization response'),
      redirect_uri: nonEmptyText('As in the authorization request'),
      code_verifier: text('The secret of which the authorization request sent the hash (RFC 7636)', {
        pattern: '^(?:[A-Za-z0-9\\-._~]{43,128})?$',
      }),
    },
    ['code', 'redirect_uri'],
  ]),
  grantForm('refresh_token', 'RefreshTokenForm', [
    { refresh_token: nonEmptyText('The latest refresh token of the grant'), scope: granted },
    ['refresh_token'],
  ]),
  grantForm('client_credentials', 'ClientCredentialsForm', [{ scope }, []]),
  grantForm(jwtBearerType, 'JwtBearerForm', [
    { assertion: nonEmptyText('A JWT that a service user signed (RFC 7523 section 2.1)'), scope },
    ['assertion'],
  ]),
  grantForm(tokenExchangeType, 'TokenExchangeForm', [
    {
      subject_token: nonEmptyText('The token to exchange, or the identifier of a person'),
      subject_token_type: { type: 'string', enum: [accessToken, idToken, jwt, userId] },
      actor_token: text('A token of who wants to act as the subject'),
      actor_token_type: { type: 'string', enum: [accessToken, idToken, ''] },
      requested_token_type: { type: 'string', enum: [accessToken, idToken, jwt, ''] },
      audience: text('Clients for which the token is meant, separated by spaces'),
      scope: granted,
    },
    ['subject_token', 'subject_token_type'],
  ]),
];

const examples = {
  clientCredentials: {
    summary: 'A program gets a token for itself',
    value: { grant_type: 'client_credentials', scope: 'openid profile' },
  },
};

/** The token endpoint (RFC 6749 section 3.2). */
export function describeToken(): Description {
  return { body: formOf({ anyOf: forms }, examples), errors: [401] };
}

const tokenParameter = { token: nonEmptyText('The token') };
const typeHint = { token_type_hint: text('Not needed: every token tells its type') };

/** Introspection and revocation (RFC 7662 section 2.1, RFC 7009 section 2.1). */
export function describeTokenQuestion(): Description {
  const form = parameters({ ...tokenParameter, ...typeHint, ...clientParameters }, ['token']);
  const example = { unknown: { summary: 'A token that does not exist', value: { token: 'unknown' } } };
  return { body: formOf(form, example), errors: [401] };
}

const optionalText = { type: 'string' };

/** The answer to an introspection (RFC 7662 section 2.2). */
const introspection: JsonSchema = {
  title: 'Introspection',
  description: 'What a token says. A token that is not active has no other member than `active`',
  type: 'object',
  required: ['active'],
  properties: {
    active: { type: 'boolean' },
    scope: optionalText,
    client_id: optionalText,
    username: optionalText,
    token_type: { const: 'Bearer' },
    exp: { type: 'integer', description: 'Seconds since 1970, as the other times' },
    iat: { type: 'integer' },
    nbf: { type: 'integer' },
    sub: optionalText,
    aud: { type: 'array', items: optionalText },
    iss: optionalText,
    jti: optionalText,
    act: { type: 'object', description: 'Who acts as the subject (RFC 8693 section 4.1)' },
  },
  additionalProperties: { description: 'Claims about the user that the scope contains' },
};

/** The introspection endpoint for the API description: its form and its response. */
export function describeIntrospection(): Description {
  return {
    ...describeTokenQuestion(),
    responses: {
      200: { description: 'What the token says', content: { 'application/json': { schema: introspection } } },
    },
  };
}
