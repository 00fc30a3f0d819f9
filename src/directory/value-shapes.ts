import { noDotSegment } from '#src/platform/path-segment.js';
import { refusedSchemes } from './private-schemes.js';

/**
 * The shapes of values, for documents that describe what this room accepts. The rules of the values check them, with errors that say
 * more. A test compares the two. Patterns are regular expressions of ECMA-262 with the flag `u`.
 */
export interface ValueShape {
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
}

/** What `trim` removes. */
const blanks = ' \\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000\\ufeff';
const controls = '\\u0000-\\u001f\\u007f-\\u009f';
const joiners = '\\u200c\\u200d';
/** The invisible characters of the Basic Multilingual Plane, without the joiners of Persian and of emoji. */
const invisible =
  '\\u00ad\\u0600-\\u0605\\u061c\\u06dd\\u070f\\u0890\\u0891\\u08e2\\u180e\\u200b\\u200e\\u200f\\u2028-\\u202e\\u2060-\\u2064\\u2066-\\u206f\\ufeff\\ufff9-\\ufffb';

/** A text that is only stored and compared. */
export const usableText: ValueShape = {
  maxLength: 500,
  pattern: '^[^\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f-\\u009f]*$',
};

/** A text that nothing compares. */
export const longText: ValueShape = { ...usableText, maxLength: 2000 };

/** A part of the name of a person. */
export const personName: ValueShape = { maxLength: 500, pattern: `^[^${controls}${invisible}]*$` };

/** The name of an object: 1 to 200 visible characters. Blanks at both ends are removed. */
export const objectName: ValueShape = {
  pattern:
    `^[\\t-\\r${blanks}]*[^${controls}${invisible}${blanks}]` +
    `(?:[^${controls}${invisible}]{0,198}[^${controls}${invisible}${blanks}])?[\\t-\\r${blanks}]*$`,
};

const deceptive = `${controls}${invisible}${joiners}\\ufe6b\\uff20`;

/** A login name. Blanks at both ends are removed. */
export const loginName: ValueShape = {
  maxLength: 200,
  pattern: `^[${blanks}]*[^${deceptive}${blanks}](?:[^${deceptive}]*[^${deceptive}${blanks}])?[${blanks}]*$`,
};

const localPart = `[^\\s.@"(),:;<>\\[\\]\\\\${deceptive}]`;
const label = '[\\p{L}\\p{N}](?:[\\p{L}\\p{N}\\-]{0,61}[\\p{L}\\p{N}])?';

/** An e-mail address that needs no quoting. */
export const emailAddress: ValueShape = {
  maxLength: 318,
  pattern: `^${localPart}(?:${localPart}|\\.(?=${localPart})){0,63}@(?=.{1,253}$)${label}(?:\\.${label}){0,3}$`,
};

const tag = '[A-Za-z]{2,3}(?:[_\\-][A-Za-z]{4})?(?:[_\\-](?:[A-Za-z]{2}|[0-9]{3}))?';
const weight = '(?:;q=0\\.[0-9]{1,3})?';

/** A language tag in its usual forms (BCP 47). */
export const languageTag: ValueShape = { pattern: `^${tag}$` };

/** A language tag, or several with their weights, as in Accept-Language. */
export const preferredLanguages: ValueShape = {
  maxLength: 500,
  pattern: `^${tag}${weight}(?:, ${tag}${weight})*$`,
};

/** An http or https URL with the name of a host. */
export const webAddress: ValueShape = {
  maxLength: 2000,
  pattern:
    '^https?://(?:[a-z0-9](?:[a-z0-9\\-]{0,61}[a-z0-9])?\\.){0,3}[a-z](?:[a-z0-9]{0,61})(?::[0-9]{1,4})?(?:[/?#][!-~]*)?$',
};

/** A date of birth without February 29. The year may be 0000, or stand alone. */
export const birthdate: ValueShape = {
  pattern:
    '^(?:[0-9]{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])|(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)|02-(?:0[1-9]|1[0-9]|2[0-8]))|(?!0000)[0-9]{4})$',
};

/** A password under the policy of a new organization. Besides, it is none of the common ones. */
export const usualPassword: ValueShape = {
  minLength: 8,
  maxLength: 200,
  pattern: `^(?=.*\\p{Lu})(?=.*\\p{Ll})(?=.*\\p{Nd})(?=.*[^\\p{L}\\p{N}\\s])[^${controls}]*$`,
};

/** A day that exists in every year. */
export const policyDay: ValueShape = {
  pattern: '^20[0-9]{2}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1[0-9]|2[0-8])$',
};

/** What an organization or an attribute is for. */
export const descriptionText: ValueShape = { maxLength: 500, pattern: `^[^${controls}]*$` };

/** An identifier that an instance owner chooses for an organization. */
export const organizationId: ValueShape = { pattern: '^[A-Za-z0-9][A-Za-z0-9._~\\-]{0,99}$' };

/** An identifier that an instance owner chooses for a project. */
export const projectId: ValueShape = { pattern: `^${noDotSegment}[A-Za-z0-9_.~\\-]{1,200}$` };

/** The identifier of an object that a value names. */
export const objectIdentifier: ValueShape = { pattern: `^[^${controls}${blanks}]{1,200}$` };

/** The key of metadata: no spaces. */
export const keyText: ValueShape = { pattern: `^${noDotSegment}[^${controls}${blanks}]{1,200}$` };

/** The key of a role, which applications show: no spaces, and nothing invisible. */
export const roleKey: ValueShape = { pattern: `^${noDotSegment}[^${controls}${blanks}${invisible}]{1,200}$` };

const hostLabel = '[A-Za-z0-9](?:[A-Za-z0-9\\-]{0,61}[A-Za-z0-9])?';

/** The name of a domain, in any letter case. Blanks at both ends are removed. */
export const domainNameText: ValueShape = {
  maxLength: 253,
  pattern: `^[\\t-\\r${blanks}]*${hostLabel}(?:\\.${hostLabel})+[\\t-\\r${blanks}]*$`,
};

const host = '(?:[a-z0-9](?:[a-z0-9\\-]{0,61}[a-z0-9])?\\.){0,3}[a-z][a-z0-9]{0,61}';
const port = '(?::(?:[1-9][0-9]{3}|[1-5][0-9]{4}))?';
const segment = '(?:/(?:[A-Za-z0-9_~\\-][A-Za-z0-9._~\\-]*)?)';
const query = '(?:\\?[A-Za-z0-9._~=&\\-]*)?';
/** In the normal form of an address with a host, a query follows a path. */
const place = `(?:${segment}+${query})?`;

/** The https address of a picture. Empty removes it. */
export const pictureAddress: ValueShape = {
  maxLength: 2000,
  pattern: `^(?:https://${host}${port}/[!-~]*)?$`,
};

/** An address to which an application redirects: https, or http to the machine itself. */
export const redirectAddress: ValueShape = {
  maxLength: 2000,
  pattern: `^(?:https://${host}|http://(?:localhost|127\\.0\\.0\\.1|\\[::1\\]))${port}${place}$`,
};

/** The same for a native application, which may have a scheme of its own with a dot (RFC 8252 section 7.1). */
export const nativeRedirectAddress: ValueShape = {
  maxLength: 2000,
  pattern: `^(?:(?:https://${host}|http://(?:localhost|127\\.0\\.0\\.1|\\[::1\\]))${port}${place}|[a-z][a-z0-9]*(?:\\.[a-z0-9]+)+:${segment}+${query})$`,
};

/** What follows the scheme of a private address: perhaps a host and a port, and a path. */
const privatePlace = `(?://(?:[A-Za-z0-9_~\\-][A-Za-z0-9._~\\-]*(?::[1-9][0-9]{3})?)?${segment}*|${segment}+)${query}`;

/** The same, where the scheme needs no dot: see `requireRedirectUris`. */
export const privateRedirectAddress: ValueShape = {
  maxLength: 2000,
  pattern: `^(?:(?:https://${host}|http://(?:localhost|127\\.0\\.0\\.1|\\[::1\\]))${port}${place}|(?!(?:https?|${refusedSchemes.join('|')}):)[a-z][a-z0-9]+(?:\\.[a-z0-9]+)*:${privatePlace})$`,
};

/** The https address that the service calls. */
export const hookAddress: ValueShape = { maxLength: 2000, pattern: `^https://${host}${port}(?:[/?][^#]*)?$` };

/** The address of an outside issuer. */
export const issuerAddress: ValueShape = {
  maxLength: 500,
  pattern: `^https://${host}${port}(?:/[A-Za-z0-9._~\\-]*)*$`,
};

/** A visible text without blanks at its ends. */
export const visibleText: ValueShape = {
  minLength: 1,
  maxLength: 500,
  pattern: `^[^${controls}${invisible}${blanks}](?:[^${controls}${invisible}]*[^${controls}${invisible}${blanks}])?$`,
};

/** Bytes in base64 (RFC 4648 section 4). */
export const base64Text: ValueShape = {
  maxLength: 87_384,
  pattern: '^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$',
};

/** A colour of pages. Empty removes it. */
export const pageColor: ValueShape = { pattern: '^(#[0-9A-Fa-f]{6})?$' };

/** A shape that may also be empty. */
export function orEmpty({ pattern = '^.*$', minLength: _least, ...shape }: ValueShape): ValueShape {
  return { ...shape, pattern: `^(?:${pattern.slice(1, -1)})?$` };
}
