import type { Application } from '#src/clients/applications/index.js';
import { type AuthorizeParameters, longestValue } from './authorize-parameters.js';
import { ShownError, unregisteredAddress } from './errors.js';

/**
 * The redirect URI. It must equal one that the application registered, character by character (RFC 9700
 * section 2.1). Nothing is decoded, normalized or compared by prefix.
 * @throws ShownError for a missing, repeated or unregistered redirect_uri
 */
export function checkRedirectUri(
  application: Pick<Application, 'redirectUris' | 'type'>,
  parameters: AuthorizeParameters,
): string {
  const given = parameters.get('redirect_uri');
  if (given === undefined) {
    throw new ShownError(
      'invalid_request',
      `The parameter redirect_uri is missing, repeated or longer than ${longestValue('redirect_uri')} characters`,
    );
  }
  requireRegistered(application, given);
  return given;
}

/** @throws ShownError for an address that the application did not register */
export function requireRegistered(
  { redirectUris, type }: Pick<Application, 'redirectUris' | 'type'>,
  given: string,
): void {
  if (redirectUris.includes(given)) return;
  const anyPort = type === 'native' ? withoutLoopbackPort(given) : undefined;
  if (anyPort !== undefined && redirectUris.some((uri) => withoutLoopbackPort(uri) === anyPort)) return;
  throw unregisteredAddress({ name: 'redirect_uri', value: given });
}

/**
 * A loopback address without its port, or undefined for every other address. A native application learns its
 * port from the operating system at the time of the request (RFC 8252 section 7.3). Only the text decides:
 * after the port, the path or the query must begin, so that no user-info part can hide the real host.
 */
function withoutLoopbackPort(uri: string): string | undefined {
  const match = /^http:\/\/(127\.0\.0\.1|\[::1\]|localhost)(?::(\d{1,5}))?([/?][^#]*)?$/.exec(uri);
  if (match === null || Number(match[2] ?? 80) > 65_535) return undefined;
  return `${match[1]} ${match[3] ?? ''}`;
}
