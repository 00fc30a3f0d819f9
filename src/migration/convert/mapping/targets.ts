import { requirePreferredLanguage } from '#src/directory/index.js';
import { AppError } from '#src/platform/errors.js';
import { type HumanUserRecord, plainTexts } from '../../format/human-user.record.js';
import { requireHash, requireId, valueRules } from '../reading/check-item.js';
import { ConversionError } from '../reading/read-fields.js';
import { datesOf, type SourceDates } from '../values/dates.js';
import { languageGiven } from '../values/language.js';
import { addressTargets, listTargets } from './listed-values.js';

type User = HumanUserRecord['user'];

/** Returns the record with a value in a place. */
type Put = (record: HumanUserRecord, value: string) => HumanUserRecord;

const withUser = (record: HumanUserRecord, parts: Partial<User>): HumanUserRecord => ({
  ...record,
  user: { ...record.user, ...parts },
});

const inProfile =
  (name: 'firstName' | 'lastName' | 'nickName' | 'displayName' | 'preferredLanguage' | 'gender'): Put =>
  (record, value) =>
    withUser(record, { profile: { ...record.user.profile, [name]: value } });

const inScim =
  (name: string): Put =>
  (record, value) =>
    withUser(record, { scim: { ...record.user.scim, [name]: value } });

/** What an attribute of the source can become, beside groups, roles and metadata. The names are those of SCIM where it has one. */
const places: Readonly<Record<string, Put>> = {
  id: (record, value) => ({ ...record, userId: requireId(value) }),
  userName: (record, value) => withUser(record, { userName: value }),
  'name.givenName': inProfile('firstName'),
  'name.familyName': inProfile('lastName'),
  'name.formatted': inScim('formatted'),
  'name.middleName': inScim('middleName'),
  'name.honorificPrefix': inScim('honorificPrefix'),
  'name.honorificSuffix': inScim('honorificSuffix'),
  nickName: inProfile('nickName'),
  displayName: inProfile('displayName'),
  preferredLanguage: (record, value) =>
    withUser(inProfile('preferredLanguage')(record, value), {
      ...(value === 'en' && { scim: { ...record.user.scim, ...languageGiven(value) } }),
    }),
  gender: inProfile('gender'),
  email: (record, value) => withUser(record, { email: { ...record.user.email, email: value } }),
  emailVerified: (record, value) =>
    withUser(record, { email: { ...record.user.email, isEmailVerified: flagOf('emailVerified', value) } }),
  phone: (record, value) => withUser(record, { phone: { ...record.user.phone, phone: value } }),
  phoneVerified: (record, value) =>
    withUser(record, { phone: { ...record.user.phone, isPhoneVerified: flagOf('phoneVerified', value) } }),
  active: (record, value) =>
    withUser(record, { scim: { ...record.user.scim, active: flagOf('active', value) } }),
  created: (record, value) => withUser(record, requireDates({ created: value })),
  lastModified: (record, value) => withUser(record, requireDates({ lastModified: value })),
  password: (record, value) => withUser(record, { password: value }),
  passwordHash: (record, value) => withUser(record, { hashedPassword: { value: requireHash(value) } }),
  passwordChangeRequired: (record, value) =>
    withUser(record, { passwordChangeRequired: flagOf('passwordChangeRequired', value) }),
  otpSecret: (record, value) => withUser(record, { otpCode: value }),
  ...Object.fromEntries(plainTexts.map((name) => [name, inScim(name)])),
};

/** The targets that several attributes may have, and that have several values. */
const lists: readonly string[] = ['group', ...listTargets];

/** The targets of a mapping, besides `metadata:KEY`. */
export const targetNames = [...Object.keys(places), ...addressTargets, ...lists];

/** Whether a target takes several values. */
export function takesSeveral(target: string): boolean {
  return lists.includes(target);
}

/** Whether a target is a part of a postal address. */
export function isOfAddress(target: string): boolean {
  return addressTargets.includes(target);
}

/**
 * Values that break a rule of these targets are left out with a note. A person must not be lost for a time zone. What decides who the person
 * is, and whether and how it may sign in, is an error instead.
 */
const rulesOf: Readonly<Record<string, (value: string) => unknown>> = {
  ...valueRules,
  preferredLanguage: (value) => requirePreferredLanguage('preferredLanguage', value),
  created: (value) => requireDates({ created: value }),
  lastModified: (value) => requireDates({ lastModified: value }),
};

/**
 * Returns the record with a value in the place of a target.
 * @param notes gets a note if the value is left out. It does not quote the value
 * @throws ConversionError when the target does not take the value, and the person cannot do without
 */
export function putValue(
  record: HumanUserRecord,
  { to, value }: { readonly to: string; readonly value: string },
  notes: string[],
): HumanUserRecord {
  try {
    rulesOf[to]?.(value);
  } catch (error) {
    if (!(error instanceof AppError) && !(error instanceof ConversionError)) throw error;
    notes.push(`${error.message}; left out`);
    return record;
  }
  return places[to]?.(record, value) ?? record;
}

/** @throws ConversionError for a date that an import would refuse */
function requireDates(given: SourceDates): Pick<User, 'created' | 'lastModified'> {
  const notes: string[] = [];
  const dates = datesOf(given, notes);
  if (notes.length > 0)
    throw new ConversionError(`${Object.keys(given).join()} is no date from 1970 until today`);
  return dates;
}

const yes = new Set(['true', 'yes', '1', 't', 'y']);
const no = new Set(['false', 'no', '0', 'f', 'n']);

/** Words for true and false, as tables have them. PostgreSQL writes one letter. */
function flagOf(name: string, value: string): boolean {
  const word = value.toLowerCase();
  if (yes.has(word)) return true;
  if (no.has(word)) return false;
  throw new ConversionError(
    `${name} must be true, yes, 1, false, no or 0; other words need values in the mapping`,
  );
}
