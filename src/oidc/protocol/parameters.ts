import { OAuthError } from './oauth-error.js';

/** Parameters of a request, each at most once. */
export type Parameters = ReadonlyMap<string, string>;

/** Names and values of a form. A repeated name has all its values. */
export type FormParameters = Readonly<Record<string, string | readonly string[]>>;

/** A request whose body was decoded from a form: a repeated parameter is an array. */
interface FormRequest {
  readonly headers: { readonly 'content-type'?: string | undefined };
  readonly body: unknown;
}

const formType = 'application/x-www-form-urlencoded';

/**
 * The form parameters of a POST (RFC 6749 section 3.2). Empty values count as absent. The caller ignores
 * unknown ones.
 * @throws OAuthError `invalid_request` for another media type or a repeated parameter
 */
export function readFormParameters({ headers, body }: FormRequest): Parameters {
  const { 'content-type': contentType = '' } = headers;
  if (contentType !== formType && contentType.split(';', 1)[0]?.trim().toLowerCase() !== formType) {
    throw new OAuthError('invalid_request', 'The body must be application/x-www-form-urlencoded');
  }
  const parameters = new Map<string, string>();
  for (const [name, value] of Object.entries((body ?? {}) as Record<string, string | string[]>)) {
    if (typeof value !== 'string') {
      throw new OAuthError('invalid_request', 'A parameter must not be sent more than once');
    }
    if (value !== '') parameters.set(name, value);
  }
  return parameters;
}

/** @throws OAuthError `invalid_request` when the parameter is absent */
export function requireParameter(parameters: Parameters, name: string): string {
  const value = parameters.get(name);
  if (value === undefined) throw new OAuthError('invalid_request', `The parameter ${name} is missing`);
  return value;
}
