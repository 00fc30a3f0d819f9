import { AppError } from '#src/platform/errors.js';
import { directoryErrors } from '../errors.js';
import { checkedValues } from '../extension-schemas/extension-values.js';
import type { Organization } from '../organizations/organization.js';
import { madeDisplayName } from './display-name.js';
import { storedLanguage } from './preferred-language.js';
import type { UserProfile, UserProfileInput } from './user.js';
import {
  requireBirthdate,
  requireEmail,
  requireLanguageTag,
  requireText,
  requireTimeZone,
  requireUrl,
  requireUserName,
  toPhoneNumber,
} from './value-rules.js';

type Primary = { value: string; display?: string; type?: string; primary?: boolean };

/** Lists without a required primary value. */
const otherLists = ['ims', 'photos', 'addresses', 'roles', 'entitlements'] as const;

/**
 * The most text of one profile, in characters. Lists of long values would otherwise multiply to megabytes, which every read,
 * every change and every list of users would carry. A person with a hundred addresses and telephone numbers has a fifth.
 */
const maxProfileText = 65_536;

/**
 * Returns the profile to store. Values are checked and normalized, and defaults are filled in. If there are e-mail addresses,
 * exactly one is primary. At most one telephone number is primary. Only userName is required (RFC 7643 section 4.1).
 * @param organization whose attributes and rules count. Without one, there are none
 * @param current the profile that a change replaces. One that is already too large may stay so, but not grow
 * @throws AppError `directory.valueInvalid` or `directory.valueMissing` that names the attribute
 */
export function normalizeProfile(
  input: UserProfileInput,
  organization?: Pick<Organization, 'extensionSchemas' | 'uniqueExternalId'>,
  current?: UserProfile,
): UserProfile {
  const { name = {}, displayName, active, emails = [], phoneNumbers, extensions, ...others } = input;
  const { profileUrl, preferredLanguage, ...rest } = others;
  requireLengths({ ...others, name, displayName, emails, phoneNumbers });
  const ownValues = checkedValues(extensions, organization?.extensionSchemas);
  requireModestText({ ...others, name, displayName, emails, phoneNumbers, ownValues }, current);
  const userName = requireUserName(input.userName);
  for (const photo of input.photos ?? []) requireUrl('photos.value', photo.value);
  const phones = phoneNumbers?.map((phone) => ({ ...phone, value: toPhoneNumber(phone.value) }));
  return {
    ...rest,
    ...otherPrimaries(rest),
    userName,
    name,
    active: active ?? true,
    displayName: displayName ?? madeDisplayName({ name, userName }),
    ...(displayName !== undefined && { displayNameGiven: true as const }),
    ...storedLanguage(
      preferredLanguage === undefined
        ? undefined
        : requireLanguageTag('preferredLanguage', preferredLanguage),
    ),
    emails: withOnePrimary('emails', emails.map(checkedEmail), 'first'),
    ...(input.locale !== undefined && { locale: requireLanguageTag('locale', input.locale) }),
    ...(input.timezone !== undefined && { timezone: requireTimeZone(input.timezone) }),
    ...(profileUrl !== undefined && { profileUrl: requireUrl('profileUrl', profileUrl) }),
    ...(input.website !== undefined && { website: requireUrl('website', input.website) }),
    ...(input.birthdate !== undefined && { birthdate: requireBirthdate(input.birthdate) }),
    ...(organization?.uniqueExternalId &&
      input.externalId !== undefined && { externalIdUnique: true as const }),
    ...(ownValues && { extensions: ownValues }),
    ...(phones && { phoneNumbers: withOnePrimary('phoneNumbers', phones, 'none') }),
  };
}

/** Keeps the first primary flag of each list (RFC 7643 section 2.4). */
function otherPrimaries(input: Pick<UserProfileInput, (typeof otherLists)[number]>): object {
  const lists: Record<string, unknown> = {};
  for (const name of otherLists) {
    const values: readonly { primary?: boolean }[] | undefined = input[name];
    if (values === undefined) continue;
    const first = values.findIndex(({ primary }) => primary === true);
    lists[name] = values.map((value, index) =>
      value.primary === true && index !== first ? { ...value, primary: false } : value,
    );
  }
  return lists;
}

function checkedEmail(email: Primary): Primary {
  return { ...email, value: requireEmail(email.value) };
}

/**
 * Makes at most one value primary (RFC 7643 section 2.4). If several are flagged, the first one stays primary.
 * @param otherwise the value that becomes primary if none is flagged
 */
function withOnePrimary(attribute: string, values: Primary[], otherwise: 'first' | 'none') {
  if (values.length > 100) {
    throw new AppError(directoryErrors.valueInvalid, { detail: `${attribute} has more than 100 values` });
  }
  const flagged = values.findIndex((value) => value.primary === true);
  const primary = flagged < 0 && otherwise === 'first' ? 0 : flagged;
  return values.map((value, index) => ({ ...value, primary: index === primary }));
}

function requireModestText(given: object, current: UserProfile | undefined): void {
  const length = textLength(given);
  if (length <= maxProfileText || (current !== undefined && length <= textLength(current))) return;
  throw new AppError(directoryErrors.valueInvalid, {
    detail: `The user has more than ${maxProfileText} characters of text in all attributes together`,
  });
}

/** The number of characters in all texts of a value. */
function textLength(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 0;
  return Object.values(value).reduce<number>((sum, item) => sum + textLength(item), 0);
}

/** Limits every string and list, so that no document or index entry grows without limit. */
function requireLengths(value: unknown, path = ''): void {
  if (typeof value === 'string') {
    requireText(path, value);
  } else if (Array.isArray(value)) {
    for (const item of value) requireLengths(item, path);
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, item] of Object.entries(value))
      requireLengths(item, path === '' ? key : `${path}.${key}`);
  }
}
