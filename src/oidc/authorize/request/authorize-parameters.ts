import { maxClientIdLength } from '#src/authorization/find-application.js';
import { maxHintLength } from '../../issuance/read-id-token-hint.js';

/** The parameters of the authorization endpoint. It ignores all others (RFC 6749 section 3.1). */
export const authorizeParameterNames = [
  'client_id',
  'redirect_uri',
  'response_type',
  'response_mode',
  'scope',
  'state',
  'nonce',
  'code_challenge',
  'code_challenge_method',
  'prompt',
  'max_age',
  'acr_values',
  'id_token_hint',
  'login_hint',
  'connection',
  'ui_locales',
  'claims',
  'request',
  'request_uri',
] as const;

export type AuthorizeParameterName = (typeof authorizeParameterNames)[number];

/** The longest accepted value of most parameters, in characters. */
const maxValueLength = 8_192;

/** The longest accepted values of other parameters, in characters. */
const otherLengths: Partial<Record<AuthorizeParameterName, number>> = {
  client_id: maxClientIdLength,
  // Every ID token contains the nonce, and so does every place that keeps ID tokens.
  nonce: 512,
  // RFC 7636 section 4.2.
  code_challenge: 128,
  max_age: 10,
  id_token_hint: maxHintLength,
  claims: 4_096,
  connection: 200,
};

/** The longest accepted value of a parameter, in characters. The description of the API has the same. */
export function longestValue(name: AuthorizeParameterName): number {
  return otherLengths[name] ?? maxValueLength;
}

/** What a request says. An empty value counts as absent. A repeated or oversized parameter has no value. */
export interface AuthorizeParameters {
  get(name: AuthorizeParameterName): string | undefined;
  readonly repeated: ReadonlySet<AuthorizeParameterName>;
  readonly oversized: ReadonlySet<AuthorizeParameterName>;
}

/** Reads a decoded query or form, in which a repeated parameter is an array. */
export function readAuthorizeParameters(source: unknown): AuthorizeParameters {
  const given = (source ?? {}) as Record<string, unknown>;
  const values = new Map<AuthorizeParameterName, string>();
  const repeated = new Set<AuthorizeParameterName>();
  const oversized = new Set<AuthorizeParameterName>();
  for (const name of authorizeParameterNames) {
    const value = Object.hasOwn(given, name) ? given[name] : undefined;
    if (Array.isArray(value)) repeated.add(name);
    else if (typeof value !== 'string' || value === '') continue;
    else if (value.length > longestValue(name)) oversized.add(name);
    else values.set(name, value);
  }
  return { get: (name) => values.get(name), repeated, oversized };
}
