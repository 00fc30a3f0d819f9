import { AppError } from '#src/platform/errors.js';
import { hasUnusableCharacters } from '../characters.js';
import { directoryErrors } from '../errors.js';

const maxUserName = 200;
/** Characters of any single value that filters can reach. */
const maxString = 500;
/** Characters of a value that only is kept and returned. */
const maxLongString = 2000;
const longAttributes = new Set([
  'profileUrl',
  'photos.value',
  'addresses.formatted',
  'addresses.streetAddress',
]);

function invalid(detail: string): AppError {
  return new AppError(directoryErrors.valueInvalid, { detail });
}

/** @throws AppError when the value of this attribute has more characters than can be kept, or unusable ones */
export function requireText(path: string, value: string): void {
  if (hasUnusableCharacters(value)) throw invalid(`${path} has control characters`);
  const limit = longAttributes.has(path) ? maxLongString : maxString;
  if (value.length > limit) throw invalid(`${path} has more than ${limit} characters`);
}

/** Login name: 1 to 200 characters, no control characters, no space at either end. */
export function requireUserName(userName: string): string {
  if (userName.trim() === '')
    throw new AppError(directoryErrors.valueMissing, { detail: 'userName is required' });
  if ([...userName].length > maxUserName) throw invalid(`userName has more than ${maxUserName} characters`);
  if (/[\p{Cc}\p{Cs}]/u.test(userName)) throw invalid('userName has control characters');
  return userName.trim();
}

// One @, a dot-atom before it and a host name after it (RFC 5321 section 4.1.2), international letters allowed.
const emailShape =
  /^[^\s@"(),:;<>[\\\]\p{Cc}]{1,64}@(?=.{1,253}$)[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?(?:\.[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?)*$/u;

/** An e-mail address in the form that mail servers accept without quoting. */
export function requireEmail(email: string): string {
  const trimmed = email.trim();
  const localPart = trimmed.slice(0, trimmed.indexOf('@'));
  if (!emailShape.test(trimmed) || /^\.|\.$|\.\./.test(localPart))
    throw invalid('emails.value is not an e-mail address');
  return trimmed;
}

/** Spaces, hyphens, parentheses and dots removed, a leading plus kept; then 3 to 15 digits (E.164). */
export function toPhoneNumber(phone: string): string {
  const normalized = phone.replace(/^tel:/i, '').replace(/[\s\-().]/g, '');
  if (!/^\+?\d{3,15}$/.test(normalized)) throw invalid('phoneNumbers.value is not a telephone number');
  return normalized;
}

/** A BCP 47 tag in its canonical case; the underscore of POSIX locales is taken for a hyphen. */
export function requireLanguageTag(path: string, tag: string): string {
  try {
    const [canonical] = Intl.getCanonicalLocales(tag.replaceAll('_', '-'));
    if (canonical !== undefined) return canonical;
  } catch {
    // Intl throws a RangeError for malformed tags.
  }
  throw invalid(`${path} is not a BCP 47 language tag`);
}

const knownTimeZones = new Set(Intl.supportedValuesOf('timeZone'));

/** An IANA time zone name, links such as `Asia/Calcutta` included. */
export function requireTimeZone(zone: string): string {
  if (knownTimeZones.has(zone)) return zone;
  if (/^[A-Za-z][A-Za-z0-9_+\-/]{1,63}$/.test(zone)) {
    try {
      new Intl.DateTimeFormat('en', { timeZone: zone });
      return zone;
    } catch {
      // Intl throws a RangeError for unknown zones.
    }
  }
  throw invalid('timezone is not an IANA time zone name');
}

/** An absolute http or https URL. */
export function requireUrl(path: string, url: string): string {
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) {
    throw invalid(`${path} is not an http or https URL`);
  }
  return url;
}
