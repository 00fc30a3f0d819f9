import {
  hasInvisibleCharacters,
  hasManyMarks,
  hasUnusableCharacters,
  isDeceptive,
  isLongerThan,
  unusableCharacters,
} from './characters.js';
import { refusedValue } from './refused-value.js';

const maxUserName = 200;
/** Longest value that filters can compare, in characters. */
const maxString = 500;
/** Longest value that is only stored and returned, in characters. */
const maxLongString = 2000;
const longAttributes = new Set([
  'profileUrl',
  'website',
  'photos.value',
  'addresses.formatted',
  'addresses.streetAddress',
]);

/** Whether pages and applications show the attribute as the name of a person. */
function namesPeople(path: string): boolean {
  return path.startsWith('name.') || path === 'displayName' || path === 'nickName';
}

/** @throws AppError if the value of this attribute has too many characters, or unusable ones */
export function requireText(path: string, value: string): void {
  if (hasUnusableCharacters(value))
    throw refusedValue(path, 'controlCharacters', `${path} has ${unusableCharacters}`);
  if (namesPeople(path) && hasInvisibleCharacters(value))
    throw refusedValue(path, 'invisibleCharacters', `${path} has line breaks or invisible characters`);
  const limit = longAttributes.has(path) ? maxLongString : maxString;
  if (value.length > limit) throw tooLong(path, limit);
}

function tooLong(path: string, most: number) {
  return refusedValue(path, 'tooLong', `${path} has more than ${most} characters`, { most });
}

function deceptive(path: string) {
  return refusedValue(
    path,
    'invisibleCharacters',
    `${path} has invisible characters, or one that looks like @`,
  );
}

/** Returns a login name after checking it: 1 to 200 characters, no control characters, no space at either end. */
export function requireUserName(userName: string): string {
  if (userName.trim() === '') throw refusedValue('userName', 'required', 'userName is required');
  if (isLongerThan(userName, maxUserName)) throw tooLong('userName', maxUserName);
  if (/[\p{Cc}\p{Cs}]/u.test(userName) || hasManyMarks(userName))
    throw refusedValue('userName', 'controlCharacters', `userName has ${unusableCharacters}`);
  const name = userName.trim();
  if (isDeceptive(name)) throw deceptive('userName');
  return name;
}

// One @, a dot-atom before it and a host name after it (RFC 5321 section 4.1.2). International letters are allowed.
const emailShape =
  /^[^\s@"(),:;<>[\\\]\p{Cc}\p{Cs}]{1,64}@(?=.{1,253}$)[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?(?:\.[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?)*$/u;

/** Returns an e-mail address after checking that mail servers accept it without quoting. */
export function requireEmail(email: string): string {
  const trimmed = email.trim();
  const localPart = trimmed.slice(0, trimmed.indexOf('@'));
  if (!emailShape.test(trimmed) || /^\.|\.$|\.\./.test(localPart))
    throw refusedValue('emails.value', 'emailAddress', 'emails.value is not an e-mail address');
  // An address is a login name too.
  if (isDeceptive(trimmed)) throw deceptive('emails.value');
  return trimmed;
}

/**
 * Returns a telephone number without `tel:`, spaces, hyphens, parentheses and dots. A leading plus stays. If not 3 to 15
 * digits remain (E.164), returns the text as it was.
 */
export function toPhoneNumber(phone: string): string {
  const bare = withoutPhoneSeparators(phone);
  return /^\+?\d{3,15}$/.test(bare) ? bare : phone;
}

/** Returns a telephone number, or the beginning, middle or end of one, without `tel:` and the separators. */
export function withoutPhoneSeparators(phone: string): string {
  return phone.replace(/^\s*tel:/i, '').replace(/[\s\-().]/g, '');
}

/** Returns a BCP 47 tag in its canonical case. The underscore of POSIX locales counts as a hyphen. */
export function requireLanguageTag(path: string, tag: string): string {
  const canonical = canonicalTag(tag);
  if (canonical === undefined)
    throw refusedValue(path, 'languageTag', `${path} is not a BCP 47 language tag`);
  return canonical;
}

function canonicalTag(tag: string): string | undefined {
  try {
    return Intl.getCanonicalLocales(tag.replaceAll('_', '-'))[0];
  } catch {
    // Intl throws a RangeError for malformed tags.
    return undefined;
  }
}

/**
 * Returns a preferred language (RFC 7643 section 4.1.1): a language tag in its canonical case, or what has the form of Accept-Language
 * (RFC 9110 section 12.5.4) as it is, with hyphens for underscores. Such a list has at least one tag.
 */
export function requirePreferredLanguage(path: string, text: string): string {
  if (!listMarks.test(text)) return requireLanguageTag(path, text);
  if (tagOfList(text) === undefined)
    throw refusedValue(
      path,
      'languageList',
      `${path} is neither a BCP 47 language tag nor a list such as da, en-GB;q=0.8`,
    );
  return text.trim().replaceAll('_', '-');
}

/** The language tag that counts of a preferred language: the first one, whatever its weight. */
export function preferredTag(language: string): string {
  return listMarks.test(language) ? (tagOfList(language) ?? language) : language;
}

/** Characters that no single tag has. */
const listMarks = /[,;*]/;
const weightedRange =
  /^([a-z]{1,8}(?:[_-][a-z0-9]{1,8})*|\*)[ \t]*(?:;[ \t]*q=(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?))?$/i;

/** The first tag of a list in the form of Accept-Language. Undefined if it has another form, or no tag. */
function tagOfList(list: string): string | undefined {
  const items = list.split(',').map((item) => item.replace(/^[ \t]+|[ \t]+$/g, ''));
  const ranges = items.filter((item) => item !== '').map((item) => weightedRange.exec(item)?.[1]);
  if (ranges.includes(undefined)) return undefined;
  const first = ranges.find((range) => range !== '*');
  return first === undefined ? undefined : canonicalTag(first);
}

const knownTimeZones = new Set(Intl.supportedValuesOf('timeZone'));

/** Returns an IANA time zone name after checking it. Links such as `Asia/Calcutta` are allowed. */
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
  throw refusedValue('timezone', 'timeZone', 'timezone is not an IANA time zone name');
}

/**
 * Returns a date of birth after checking it: `YYYY-MM-DD`, `0000-MM-DD` for an unknown year, or `YYYY` (OpenID Connect Core section
 * 5.1).
 */
export function requireBirthdate(text: string): string {
  const [, year, day] = /^(\d{4})(-\d{2}-\d{2})?$/.exec(text) ?? [];
  // 2000 is a leap year, so that February 29 of an unknown year exists.
  const date = day === undefined ? undefined : `${year === '0000' ? '2000' : year}${day}`;
  const isDate = date === undefined ? year !== '0000' : isDay(date);
  if (year === undefined || !isDate)
    throw refusedValue(
      'birthdate',
      'birthdate',
      'birthdate is not a date such as 1990-12-31, 0000-12-31 or 1990',
    );
  return text;
}

function isDay(date: string): boolean {
  const time = new Date(`${date}T00:00:00Z`);
  return !Number.isNaN(time.getTime()) && time.toISOString().startsWith(date);
}

/** Returns an absolute http or https URL after checking it. */
export function requireUrl(path: string, url: string): string {
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) {
    throw refusedValue(path, 'webAddress', `${path} is not an http or https URL`);
  }
  return url;
}

/** The rules of attributes whose values have a form. Each returns the value as it is stored. @throws AppError `directory.valueInvalid` */
export const attributeRules = {
  locale: (tag: string) => requireLanguageTag('locale', tag),
  timezone: requireTimeZone,
  profileUrl: (url: string) => requireUrl('profileUrl', url),
  website: (url: string) => requireUrl('website', url),
  birthdate: requireBirthdate,
} as const;

/** The names of {@link attributeRules}. */
export const ruledAttributes = Object.keys(attributeRules) as (keyof typeof attributeRules)[];
