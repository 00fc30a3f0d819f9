/** The parameters that the authorization endpoint knows; others are ignored (RFC 6749 section 3.1). */
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
  'id_token_hint',
  'login_hint',
  'ui_locales',
  'request',
  'request_uri',
] as const;

export type AuthorizeParameterName = (typeof authorizeParameterNames)[number];

/** Longest value that is looked at. */
export const maxValueLength = 8_192;

/** Longest ID token that is looked at: it has all that an organization provisioned of a person. */
export const maxHintLength = 16_384;

/** What a request says. A value that is empty counts as absent; a repeated or oversized one has no value. */
export interface AuthorizeParameters {
  get(name: AuthorizeParameterName): string | undefined;
  readonly repeated: ReadonlySet<AuthorizeParameterName>;
  readonly oversized: ReadonlySet<AuthorizeParameterName>;
}

/** Reads a decoded query or form, where a repeated parameter is an array. */
export function readAuthorizeParameters(source: unknown): AuthorizeParameters {
  const given = (source ?? {}) as Record<string, unknown>;
  const values = new Map<AuthorizeParameterName, string>();
  const repeated = new Set<AuthorizeParameterName>();
  const oversized = new Set<AuthorizeParameterName>();
  for (const name of authorizeParameterNames) {
    const value = Object.hasOwn(given, name) ? given[name] : undefined;
    if (Array.isArray(value)) repeated.add(name);
    else if (typeof value !== 'string' || value === '') continue;
    else if (value.length > (name === 'id_token_hint' ? maxHintLength : maxValueLength)) oversized.add(name);
    else values.set(name, value);
  }
  return { get: (name) => values.get(name), repeated, oversized };
}
