import { requireText } from '#src/directory/index.js';
import { AppError } from '#src/platform/errors.js';
import { isJsonObject } from '#src/platform/json/json-object.js';
import type { HumanUserRecord } from '../../format/human-user.record.js';
import { present } from '../people/person.js';
import { valueRules } from '../reading/check-item.js';
import { isEmpty, type SourceRecord } from '../reading/source-record.js';

type User = HumanUserRecord['user'];

/** Attributes of SCIM that are plain texts, and the attributes of a user of Keycloak that mean them. */
const texts: Readonly<Record<string, readonly string[]>> = {
  middleName: ['middleName'],
  title: ['title', 'jobTitle'],
  userType: ['userType', 'employeeType'],
  department: ['department'],
  division: ['division'],
  organization: ['organization', 'company'],
  costCenter: ['costCenter'],
  employeeNumber: ['employeeNumber', 'employeeId'],
};
/** Those whose values have a rule. */
const ruled: readonly [rule: keyof typeof valueRules, names: readonly string[]][] = [
  ['profileUrl', ['profile']],
  ['website', ['website']],
  ['timezone', ['zoneinfo', 'timezone']],
  ['birthdate', ['birthdate', 'birthDate']],
];
/** The parts of the claim `address`. */
const ofAddress: Readonly<Record<string, readonly string[]>> = {
  streetAddress: ['street', 'street_address'],
  locality: ['locality', 'city'],
  region: ['region'],
  postalCode: ['postal_code', 'postalCode'],
  country: ['country'],
  formatted: ['formatted'],
};
const phones = ['phoneNumber', 'phone_number', 'phone', 'mobile', 'telephoneNumber'];
const phonesVerified = ['phoneNumberVerified', 'phone_number_verified'];

const known = new Set(
  [...Object.values(texts), ...ruled.map(([, names]) => names), ...Object.values(ofAddress), phones]
    .concat([phonesVerified, ['nickname', 'nickName', 'displayName', 'picture', 'avatar', 'gender']])
    .flat(),
);
const none = { scim: {} };

/** What the usual attributes of a user say. */
interface UsualAttributes extends Pick<User, 'phone'> {
  readonly nickName?: string;
  readonly displayName?: string;
  readonly gender?: string;
  readonly scim: Readonly<Record<string, unknown>>;
}

/**
 * Takes the attributes that mean the same at almost every installation: those of the protocol mappers that Keycloak makes for the scopes
 * `profile`, `phone` and `address`, and others of SCIM's names. A value that an import would refuse stays, so that it is lost, with a note.
 */
export function takeUsualAttributes(source: SourceRecord, notes: string[]): UsualAttributes {
  const given = source.look('attributes');
  // Most people have none of them, and each look costs.
  if (!isJsonObject(given) || !Object.keys(given).some((name) => known.has(name))) return none;
  const checked = (names: readonly string[], rule: (text: string) => unknown) =>
    firstOf(names, (name) => takeOne(source, { name, rule, notes }));
  const text = (names: readonly string[], path: string) =>
    checked(names, (value) => requireText(path, value));
  const phone = text(phones, 'phoneNumbers.value');
  const [nickName, displayName] = [
    text(['nickname', 'nickName'], 'nickName'),
    text(['displayName'], 'displayName'),
  ];
  const photo = checked(['picture', 'avatar'], valueRules.photo);
  const gender = text(['gender'], 'gender');
  const address = present(
    Object.fromEntries(
      Object.entries(ofAddress).map(([part, names]) => [part, text(names, `addresses.${part}`)]),
    ),
  );
  return {
    ...(phone !== undefined && { phone: { phone, isPhoneVerified: isPhoneVerified(source) } }),
    ...(nickName !== undefined && { nickName }),
    ...(displayName !== undefined && { displayName }),
    ...(gender !== undefined && { gender }),
    scim: present({
      ...Object.fromEntries(Object.entries(texts).map(([name, names]) => [name, text(names, name)])),
      ...Object.fromEntries(ruled.map(([rule, names]) => [rule, checked(names, valueRules[rule])])),
      photos: photo === undefined ? undefined : [{ value: photo, type: 'photo' }],
      addresses: Object.keys(address).length === 0 ? undefined : [{ ...address, primary: true }],
    }),
  };
}

function firstOf(names: readonly string[], take: (name: string) => string | undefined): string | undefined {
  for (const name of names) {
    const value = take(name);
    if (value !== undefined) return value;
  }
  return undefined;
}

/** Takes the first value of an attribute. The oldest versions have single values. Further values are lost. */
function takeOne(
  source: SourceRecord,
  { name, rule, notes }: { name: string; rule: (text: string) => unknown; notes: string[] },
): string | undefined {
  const given = source.look('attributes', name);
  const [value, ...others] = Array.isArray(given) ? given : [given];
  if (typeof value !== 'string' || value.trim() === '') return undefined;
  try {
    const stored = rule(value.trim());
    source.take('attributes', name);
    if (others.some((one) => !isEmpty(one))) source.loseAlso(`attributes.${name}[]`);
    return typeof stored === 'string' ? stored : value.trim();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    notes.push(`the attribute ${name}: ${error.message}; left out`);
    return undefined;
  }
}

/** Takes the flag of the telephone number, if it is one. */
function isPhoneVerified(source: SourceRecord): boolean {
  const name = phonesVerified.find((one) => source.look('attributes', one) !== undefined);
  if (name === undefined) return false;
  const given = source.look('attributes', name);
  const word = String(Array.isArray(given) ? given[0] : given).toLowerCase();
  if (word === 'true' || word === 'false') source.take('attributes', name);
  return word === 'true';
}
