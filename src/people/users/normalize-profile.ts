import {
  attributeRules,
  type ClientExternalId,
  type ExtensionValues,
  mostClientExternalIds,
  type Organization,
  refusedValue,
  requireEmail,
  requirePreferredLanguage,
  requireText,
  requireUrl,
  requireUserName,
  ruledAttributes,
  toPhoneNumber,
  type UserProfile,
  type UserProfileInput,
} from '#src/directory/index.js';
import { Refusals } from '#src/platform/check-each.js';
import { checkedValues, refuseValues } from '../extension-schemas/extension-values.js';
import { madeDisplayName } from './display-name.js';
import { storedLanguage } from './preferred-language.js';

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
 * @throws AppError `directory.valueInvalid` or `directory.valueMissing` that names the attribute. Its violations name every attribute that is
 * wrong
 */
export function normalizeProfile(
  input: UserProfileInput,
  organization?: ProfileOwner,
  current?: UserProfile,
): UserProfile {
  try {
    return normalized(input, organization, current);
  } catch (error) {
    // Only a profile that is refused pays for the search for its other faults.
    const refusals = new Refusals();
    refusals.add(error);
    collectRefusals(refusals, input, organization);
    refusals.throwIfAny();
    throw error;
  }
}

type ProfileOwner = Pick<Organization, 'extensionSchemas' | 'uniqueExternalId'>;

/** Adds what is wrong with each attribute by itself. The rules are those of {@link normalized}. */
export function collectRefusals(
  refusals: Refusals,
  input: Partial<UserProfileInput>,
  organization?: ProfileOwner,
): void {
  for (const [name, value] of Object.entries(input))
    if (name !== 'extensions') refusals.try(() => requireLength(value, name));
  const { userName, emails = [], photos = [], preferredLanguage, extensions } = input;
  const schemas = organization?.extensionSchemas;
  if (extensions !== undefined && schemas !== undefined)
    refusals.try(() => refuseValues(extensions, schemas));
  if (userName !== undefined) refusals.try(() => requireUserName(userName));
  for (const photo of photos) refusals.try(() => requireUrl('photos.value', photo.value));
  if (preferredLanguage !== undefined)
    refusals.try(() => requirePreferredLanguage('preferredLanguage', preferredLanguage));
  for (const email of emails) refusals.try(() => requireEmail(email.value));
  for (const attribute of ruledAttributes) {
    const value = input[attribute];
    if (value !== undefined) refusals.try(() => attributeRules[attribute](value));
  }
}

function normalized(
  input: UserProfileInput,
  organization: ProfileOwner | undefined,
  current: UserProfile | undefined,
): UserProfile {
  const { name = {}, displayName, emails = [], phoneNumbers, preferredLanguage } = input;
  requireLengths(input);
  const ownValues = checkedValues(input.extensions, organization?.extensionSchemas);
  requireModestText(input, ownValues, current);
  const userName = requireUserName(input.userName);
  for (const photo of input.photos ?? []) requireUrl('photos.value', photo.value);
  const phones = phoneNumbers?.map((phone) => ({ ...phone, value: toPhoneNumber(phone.value) }));
  const language =
    preferredLanguage === undefined
      ? undefined
      : requirePreferredLanguage('preferredLanguage', preferredLanguage);
  // Filled step by step: an import makes millions of profiles, and properties behind a spread cost a microsecond each.
  const profile = asGiven(input) as UserProfile;
  profile.userName = userName;
  profile.name = name;
  profile.active = input.active ?? true;
  profile.displayName = displayName ?? madeDisplayName({ name, userName });
  Object.assign(profile, storedLanguage(language));
  profile.emails = withOnePrimary('emails', emails.map(checkedEmail), 'first');
  if (displayName !== undefined) profile.displayNameGiven = true;
  for (const attribute of ruledAttributes) {
    const value = input[attribute];
    if (value !== undefined) profile[attribute] = attributeRules[attribute](value);
  }
  if (organization?.uniqueExternalId && (input.externalId ?? input.clientExternalIds) !== undefined)
    profile.externalIdUnique = true;
  if (input.clientExternalIds) profile.clientExternalIds = checkedClientIds(input.clientExternalIds);
  if (ownValues) profile.extensions = ownValues;
  if (phones) profile.phoneNumbers = withOnePrimary('phoneNumbers', phones, 'none');
  return profile;
}

/** Attributes that have a rule of their own. */
const withRules: ReadonlySet<string> = new Set([
  'active',
  'clientExternalIds',
  'displayName',
  'emails',
  'extensions',
  'name',
  'phoneNumbers',
  'preferredLanguage',
  'profileUrl',
] satisfies (keyof UserProfileInput)[]);

/** The other attributes. Each list keeps its first primary flag (RFC 7643 section 2.4). */
function asGiven(input: UserProfileInput): object {
  const attributes: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(input)) if (!withRules.has(name)) attributes[name] = value;
  for (const name of otherLists) {
    const values: readonly { primary?: boolean }[] | undefined = input[name];
    if (values === undefined) continue;
    const first = values.findIndex(({ primary }) => primary === true);
    attributes[name] = values.map((value, index) =>
      value.primary === true && index !== first ? { ...value, primary: false } : value,
    );
  }
  return attributes;
}

/** One value for each client. */
function checkedClientIds(given: readonly ClientExternalId[]): ClientExternalId[] {
  const name = 'clientExternalIds';
  if (given.length > mostClientExternalIds) {
    const detail = `${name} has more than ${mostClientExternalIds} values`;
    throw refusedValue(name, 'tooMany', detail, { most: mostClientExternalIds });
  }
  if (new Set(given.map(({ serviceUserId }) => serviceUserId)).size < given.length)
    throw refusedValue(name, 'duplicate', `${name} has two values of one client`);
  return given.map(({ serviceUserId, value }) => ({ serviceUserId, ...(value !== undefined && { value }) }));
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
    throw refusedValue(attribute, 'tooMany', `${attribute} has more than 100 values`, { most: 100 });
  }
  const flagged = values.findIndex((value) => value.primary === true);
  const primary = flagged < 0 && otherwise === 'first' ? 0 : flagged;
  return values.map((value, index) => ({ ...value, primary: index === primary }));
}

function requireModestText(
  input: UserProfileInput,
  ownValues: ExtensionValues | undefined,
  current: UserProfile | undefined,
): void {
  const length = textLength(input) - textLength(input.extensions) + textLength(ownValues);
  if (length <= maxProfileText || (current !== undefined && length <= textLength(current))) return;
  const detail = `The user has more than ${maxProfileText} characters of text in all attributes together`;
  throw refusedValue('', 'tooMuchText', detail, { most: maxProfileText });
}

/** The number of characters in all texts of a value. */
function textLength(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 0;
  let sum = 0;
  for (const item of Object.values(value)) sum += textLength(item);
  return sum;
}

/** Limits every string and list, so that no document or index entry grows without limit. The own attributes have limits of their own. */
function requireLengths(input: UserProfileInput): void {
  for (const [name, value] of Object.entries(input)) if (name !== 'extensions') requireLength(value, name);
}

function requireLength(value: unknown, path: string): void {
  if (typeof value === 'string') {
    requireText(path, value);
  } else if (Array.isArray(value)) {
    for (const item of value) requireLength(item, path);
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, item] of Object.entries(value)) requireLength(item, `${path}.${key}`);
  }
}
