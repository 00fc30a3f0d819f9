import { AppError } from '#src/platform/errors.js';
import { directoryErrors } from '../errors.js';
import type { Application } from './application.js';

const maxUris = 100;
const maxLength = 2000;
const loopbackHosts = new Set(['127.0.0.1', '[::1]', 'localhost']);

/**
 * Checks the addresses that a user agent may be sent to (RFC 9700 section 4.1): https, or http to the machine
 * itself; native applications also schemes of their own, which must have a dot (RFC 8252 section 8.4).
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

function problemOf(uri: string, type: Application['type']): string | undefined {
  if (uri.length > maxLength) return `has more than ${maxLength} characters`;
  // No spaces, quotes, brackets of HTML, backslashes, control or international characters: each reader reads it the same.
  if (!/^[A-Za-z][A-Za-z0-9+.-]*:[A-Za-z0-9\-._~:/?[\]@!$&'()+,;=%]+$/.test(uri)) {
    return uri.includes('#') || uri.includes('*')
      ? 'must have neither fragment nor wildcard'
      : 'is not an absolute URI in ASCII';
  }
  if (!URL.canParse(uri)) return 'is not an absolute URI';
  const url = new URL(uri);
  if (url.username !== '' || url.password !== '') return 'must not carry credentials';
  // Dot segments, capitals in the host or a default port: what is compared must be what the user agent goes to.
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
