import { isRefusedScheme, refusedValue, type ValueRule } from '#src/directory/index.js';
import { Refusals } from '#src/platform/check-each.js';
import type { ViolationParams } from '#src/platform/errors.js';
import type { Application } from './application.js';

const maxUris = 100;
const maxLength = 2000;
/**
 * No spaces, quotes, angle brackets, backslashes, control or international characters. Every parser then reads the address the same
 * way.
 */
const addressForm = /^[A-Za-z][A-Za-z0-9+.-]*:[A-Za-z0-9\-._~:/?[\]@!$&'()+,;=%]+$/;
const loopbackHosts = new Set(['127.0.0.1', '[::1]', 'localhost']);

/**
 * Checks the addresses to which the provider may redirect a user agent (RFC 9700 section 4.1). Allowed are https, and
 * http to the same machine. Native applications may also use a private scheme (RFC 8252 section 7.1), except those of
 * `private-schemes.ts`. Section 8.4 recommends a scheme with a dot, but the makers of programs choose their schemes. PKCE makes a code
 * that another program intercepts useless. `requireFittingGrants` refuses such a scheme where PKCE does not apply.
 * @throws AppError `directory.valueInvalid`
 */
export function requireRedirectUris(
  attribute: string,
  uris: readonly string[],
  type: Application['type'],
): string[] {
  if (uris.length > maxUris)
    throw refusedValue(attribute, 'tooMany', `${attribute} has more than ${maxUris} values`, {
      most: maxUris,
    });
  const refusals = new Refusals();
  for (const [index, uri] of uris.entries()) {
    const fault = faultOf(uri, type);
    if (fault === undefined) continue;
    const [rule, words, params] = fault;
    const place = `${attribute}[${index}]`;
    refusals.add(refusedValue(place, rule, `${place} ${words}`, params));
  }
  refusals.throwIfAny();
  return [...new Set(uris)];
}

/** Returns the http and https origins of these addresses, each once (RFC 6454 section 6.2). */
export function originsOf(uris: readonly string[]): string[] {
  return [...new Set(uris.filter((uri) => /^https?:/.test(uri)).map((uri) => new URL(uri).origin))];
}

/** Whether the scheme of the address is a private one, which every program on a device can claim. */
export function hasPrivateScheme(uri: string): boolean {
  return !/^https?:/.test(uri);
}

/** Whether the address has a private scheme without a dot. The name of a domain has one, so that fewer programs claim the same. */
export function hasDotlessScheme(uri: string): boolean {
  return hasPrivateScheme(uri) && !schemeOf(uri).includes('.');
}

function schemeOf(uri: string): string {
  return uri.slice(0, uri.indexOf(':'));
}

/** The rule that an address breaks, and what is wrong in words behind its place. */
type Fault = readonly [rule: ValueRule, words: string, params?: ViolationParams];

function faultOf(uri: string, type: Application['type']): Fault | undefined {
  if (uri.length > maxLength)
    return ['tooLong', `has more than ${maxLength} characters`, { most: maxLength }];
  if (!addressForm.test(uri)) {
    if (uri.includes('#') || uri.includes('*'))
      return ['uriFragment', 'must have neither fragment nor wildcard'];
    const ascii = asciiForm(uri);
    return ascii === undefined
      ? ['uriAbsolute', 'is not an absolute URI in ASCII']
      : ['uriAscii', `is not in ASCII. Its form in ASCII is ${ascii}`, { ascii }];
  }
  if (!URL.canParse(uri)) return ['uriAbsolute', 'is not an absolute URI'];
  const url = new URL(uri);
  if (url.username !== '' || url.password !== '') return ['uriCredentials', 'must not carry credentials'];
  // Refuse dot segments, capitals in the host and a default port. The compared address must be the address that the
  // user agent opens.
  const written = withNormalScheme(uri, url);
  if (url.href !== written && url.href !== `${written}/`)
    return ['uriNormal', `is not in its normal form, ${url.href}`, { normal: url.href }];
  if (url.protocol === 'https:') return undefined;
  if (url.protocol === 'http:') {
    return loopbackHosts.has(url.hostname)
      ? undefined
      : ['uriHttps', 'must be https; http only for the machine itself'];
  }
  if (type !== 'native') return ['uriOnlyHttps', 'must be https'];
  return isRefusedScheme(schemeOf(url.href))
    ? ['uriScheme', `has the scheme ${url.protocol}, which no application can have`, { scheme: url.protocol }]
    : undefined;
}

/** The address with its scheme in lower case, if the scheme is a private one. Some makers write capitals: `com.Example.App:/callback`. */
function withNormalScheme(uri: string, { protocol }: URL): string {
  return hasPrivateScheme(protocol) ? protocol + uri.slice(protocol.length) : uri;
}

/** Visible characters, without the backslash, which some parsers read as a slash. */
const visibleForm = /^[!-[\]-~\u00a1-\u{10ffff}]+$/u;

/**
 * Returns the form in ASCII of an address with international characters, as browsers send it: the host in Punycode (RFC 3492), the
 * rest percent-encoded (RFC 3987 section 3.1). Undefined for an address without such characters, and for one that has another fault.
 */
export function asciiForm(uri: string): string | undefined {
  if (/^[!-~]*$/.test(uri) || !visibleForm.test(uri) || !URL.canParse(uri)) return undefined;
  const { href, username, password } = new URL(uri);
  return addressForm.test(href) && username === '' && password === '' ? href : undefined;
}
