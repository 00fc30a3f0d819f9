import { directoryErrors } from '#src/directory/index.js';
import { AppError } from '#src/platform/errors.js';
import type { Application } from './application.js';

const maxUris = 100;
const maxLength = 2000;
const loopbackHosts = new Set(['127.0.0.1', '[::1]', 'localhost']);

/**
 * Checks the addresses to which the provider may redirect a user agent (RFC 9700 section 4.1). Allowed are https, and
 * http to the same machine. Native applications may also use their own schemes. These must contain a dot (RFC 8252
 * section 8.4).
 * @throws AppError `directory.valueInvalid`
 */
export function requireRedirectUris(
  attribute: string,
  uris: readonly string[],
  type: Application['type'],
): string[] {
  if (uris.length > maxUris) throw invalid(`${attribute} has more than ${maxUris} values`);
  for (const [index, uri] of uris.entries()) {
    const problem = problemOf(uri, type);
    if (problem !== undefined) throw invalid(`${attribute}[${index}] ${problem}`);
  }
  return [...new Set(uris)];
}

/** Returns the http and https origins of these addresses, each once (RFC 6454 section 6.2). */
export function originsOf(uris: readonly string[]): string[] {
  return [...new Set(uris.filter((uri) => /^https?:/.test(uri)).map((uri) => new URL(uri).origin))];
}

function problemOf(uri: string, type: Application['type']): string | undefined {
  if (uri.length > maxLength) return `has more than ${maxLength} characters`;
  // No spaces, quotes, angle brackets, backslashes, control or international characters. Every parser then reads the
  // address the same way.
  if (!/^[A-Za-z][A-Za-z0-9+.-]*:[A-Za-z0-9\-._~:/?[\]@!$&'()+,;=%]+$/.test(uri)) {
    return uri.includes('#') || uri.includes('*')
      ? 'must have neither fragment nor wildcard'
      : 'is not an absolute URI in ASCII';
  }
  if (!URL.canParse(uri)) return 'is not an absolute URI';
  const url = new URL(uri);
  if (url.username !== '' || url.password !== '') return 'must not carry credentials';
  // Refuse dot segments, capitals in the host and a default port. The compared address must be the address that the
  // user agent opens.
  if (url.href !== uri && url.href !== `${uri}/`) return `is not in its normal form, ${url.href}`;
  if (url.protocol === 'https:') return undefined;
  if (url.protocol === 'http:') {
    return loopbackHosts.has(url.hostname) ? undefined : 'must be https; http only for the machine itself';
  }
  if (type !== 'native') return 'must be https';
  return url.protocol.includes('.') ? undefined : 'must have a scheme with a dot, as com.example.app';
}

function invalid(detail: string): AppError {
  return new AppError(directoryErrors.valueInvalid, { detail });
}
