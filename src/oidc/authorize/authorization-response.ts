import type { RedirectedError } from './request/errors.js';
import type { ResponseTarget } from './steps.js';

/** A response on its way to the client (RFC 6749 section 4.1.2). */
export interface AuthorizationResponse {
  readonly target: ResponseTarget;
  /** Names and values, in order. */
  readonly parameters: Readonly<Record<string, string>>;
  /** The session that answers, if one does. */
  readonly sessionId?: string;
}

/** Adds what every response carries: the state of the request, unchanged, and the issuer (RFC 9207). */
export function createResponse(
  issuer: string,
  target: ResponseTarget,
  parameters: Readonly<Record<string, string>>,
): AuthorizationResponse {
  const { state } = target;
  return { target, parameters: { ...parameters, ...(state !== undefined && { state }), iss: issuer } };
}

/** The response that reports an error. */
export function createErrorResponse(
  issuer: string,
  target: ResponseTarget,
  { code, message }: Pick<RedirectedError, 'code' | 'message'>,
): AuthorizationResponse {
  return createResponse(issuer, target, { error: code, error_description: message });
}

/**
 * The address to which a `query` or `fragment` response redirects. It keeps the redirect URI as it was
 * registered. Every parameter is form-urlencoded, so that none can end its place or the header.
 */
export function responseAddress({ target, parameters }: AuthorizationResponse): string {
  if (target.responseMode === 'fragment') {
    return `${asciiOf(target.redirectUri)}#${new URLSearchParams(parameters)}`;
  }
  return addQuery(target.redirectUri, parameters);
}

/** Adds form-urlencoded parameters to an address, which may have a query. */
export function addQuery(uri: string, parameters: Readonly<Record<string, string>>): string {
  const address = asciiOf(uri);
  if (Object.keys(parameters).length === 0) return address;
  const glue = !address.includes('?') ? '?' : /[?&]$/.test(address) ? '' : '&';
  return `${address}${glue}${new URLSearchParams(parameters)}`;
}

/** A header may contain only printable ASCII. */
function asciiOf(uri: string): string {
  const percent = (byte: number) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  return uri.replace(/[^\x21-\x7e]+/g, (text) => [...Buffer.from(text)].map(percent).join(''));
}
