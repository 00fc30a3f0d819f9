import type { DescribedResponse, Description, JsonSchema } from '#src/http/base/description.js';
import { type AuthorizeParameterName, longestValue } from '../authorize/request/authorize-parameters.js';
import { formOf, parameters } from './forms.js';

const page: DescribedResponse['content'] = { 'text/html': { schema: { type: 'string' } } };

/** What a browser gets: a redirect, or a page. */
const responses: Readonly<Record<number, DescribedResponse>> = {
  200: { description: 'A page that goes on by itself, or that the person answers', content: page },
  303: { description: 'To the application, or to a page of this service', headers: ['Location'] },
};

const notAllowed: DescribedResponse = {
  description: 'A page for a person who is in none of the groups that may use the application',
  content: page,
};

function limited(name: AuthorizeParameterName, description: string, keywords: JsonSchema = {}): JsonSchema {
  return { type: 'string', maxLength: longestValue(name), description, ...keywords };
}

const authorizeParameters = parameters(
  {
    client_id: limited('client_id', 'The application', { minLength: 1 }),
    redirect_uri: limited('redirect_uri', 'Exactly as the application registered it', { minLength: 1 }),
    response_type: limited('response_type', '`code`, `id_token` or `id_token token`', { examples: ['code'] }),
    response_mode: limited('response_mode', '`query`, `fragment` or `form_post`. Others are ignored'),
    scope: limited('scope', 'Scopes, separated by spaces. `openid` is one of them', {
      examples: ['openid profile'],
    }),
    state: limited('state', 'Comes back unchanged. At most 8192 bytes'),
    nonce: limited('nonce', 'Comes back in the ID token'),
    code_challenge: limited('code_challenge', 'Hash of the code_verifier (RFC 7636)', {
      examples: ['E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'],
    }),
    code_challenge_method: limited('code_challenge_method', '`S256`', { examples: ['S256'] }),
    prompt: limited(
      'prompt',
      '`none`, `login`, `consent`, `select_account` or `create`, separated by spaces',
    ),
    max_age: limited('max_age', 'The most seconds since the person last signed in', {
      pattern: '^[0-9]*$',
      examples: ['3600'],
    }),
    acr_values: limited(
      'acr_values',
      'The levels of authentication that the application prefers, the preferred one first, separated by spaces',
      { examples: ['2'] },
    ),
    id_token_hint: limited('id_token_hint', 'An ID token of the person who is meant'),
    login_hint: limited('login_hint', 'The login name of the person who is meant'),
    connection: limited(
      'connection',
      'The connection of the organization by which the person should sign in. An unknown one is ignored',
    ),
    ui_locales: limited('ui_locales', 'Languages of the pages, separated by spaces'),
    claims: limited(
      'claims',
      'Single claims (OpenID Connect Core section 5.5), as JSON of at most 4096 bytes',
    ),
  },
  ['client_id', 'redirect_uri', 'response_type', 'scope'],
);

const logoutParameters = {
  id_token_hint: 'The ID token of the session to end',
  client_id: 'The application',
  post_logout_redirect_uri: 'Where to go afterwards, as the application registered it',
  state: 'Comes back unchanged',
  logout_hint: 'The login name of the person who is meant',
  ui_locales: 'Languages of the pages, separated by spaces',
} as const;

/** The authorization endpoint (OpenID Connect Core section 3.1.2). */
export function describeAuthorize(method: 'GET' | 'POST'): Description {
  const described = describeBrowserEndpoint(authorizeParameters, method);
  return { ...described, responses: { ...described.responses, 403: notAllowed } };
}

/**
 * The end session endpoint (RP-Initiated Logout section 2).
 * @param longest the longest accepted value of a parameter, in characters
 */
export function describeEndSession(
  method: 'GET' | 'POST',
  longest: (name: keyof typeof logoutParameters) => number,
): Description {
  const properties: Record<string, JsonSchema> = {};
  for (const name of Object.keys(logoutParameters) as (keyof typeof logoutParameters)[])
    properties[name] = { type: 'string', maxLength: longest(name), description: logoutParameters[name] };
  return describeBrowserEndpoint(parameters(properties), method);
}

function describeBrowserEndpoint(given: JsonSchema, method: 'GET' | 'POST'): Description {
  return method === 'GET' ? { querystring: given, responses } : { body: formOf(given), responses };
}
