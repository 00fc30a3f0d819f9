import type { RedirectedError } from './errors.js';
import type { Target } from './steps.js';

/** An answer on its way to the client (RFC 6749 section 4.1.2). */
export interface AuthorizationResponse {
  readonly target: Target;
  /** Names and values, in order. */
  readonly parameters: Readonly<Record<string, string>>;
}

/** Adds what every answer carries: the state as it came, and who answers (RFC 9207). */
export function createResponse(
  issuer: string,
  target: Target,
  parameters: Readonly<Record<string, string>>,
): AuthorizationResponse {
  const { state } = target;
  return { target, parameters: { ...parameters, ...(state !== undefined && { state }), iss: issuer } };
}

/** The answer that tells an error. */
export function createErrorResponse(
  issuer: string,
  target: Target,
  { code, message }: Pick<RedirectedError, 'code' | 'message'>,
): AuthorizationResponse {
  return createResponse(issuer, target, { error: code, error_description: message });
}

/**
 * The address that a `query` or `fragment` answer redirects to. The redirect URI stands there as it was registered;
 * every parameter is form-urlencoded, so that none can break out of its place or of the header.
 */
export function responseAddress({ target, parameters }: AuthorizationResponse): string {
  if (target.responseMode === 'fragment') {
    return `${asciiOf(target.redirectUri)}#${new URLSearchParams(parameters)}`;
  }
  return addQuery(target.redirectUri, parameters);
}

/** Adds form-urlencoded parameters to an address, which may have a query already. */
export function addQuery(uri: string, parameters: Readonly<Record<string, string>>): string {
  const address = asciiOf(uri);
  if (Object.keys(parameters).length === 0) return address;
  const glue = !address.includes('?') ? '?' : /[?&]$/.test(address) ? '' : '&';
  return `${address}${glue}${new URLSearchParams(parameters)}`;
}

/** A header takes printable ASCII alone. */
function asciiOf(uri: string): string {
  const percent = (byte: number) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  return uri.replace(/[^\x21-\x7e]+/g, (text) => [...Buffer.from(text)].map(percent).join(''));
}
