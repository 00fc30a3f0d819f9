import { randomBytes, scryptSync } from 'node:crypto';
import { mayBePassword } from '#src/accounts/index.js';
import { normalizedPassword } from '#src/keys/password-forms.js';
import { clearPasswordIn } from '#src/keys/password-hashes/clear-password.js';
import type { HumanUserRecord } from '../../format/human-user.record.js';
import type { IdentityLinksRecord } from '../../format/identity-links.record.js';
import type { WebauthnCredentialsRecord } from '../../format/webauthn-credentials.record.js';
import { requireHash } from '../reading/check-item.js';
import { ConversionError } from '../reading/read-fields.js';
import type { SourceRecord } from '../reading/source-record.js';
import { madeNames } from '../values/person-names.js';
import { withHashOfParts } from './hash-parts.js';
import type { ConvertedPerson } from './people-format.js';
import type { Mapping } from './read-mapping.js';
import { putValue } from './targets.js';

/** A person after the mapping, and what stands outside of the record. */
export interface MappedPerson {
  readonly record: HumanUserRecord;
  /** The names of the groups. */
  readonly groups: readonly string[];
  readonly metadata: readonly (readonly [key: string, value: string])[];
  /** Whether a rule made a name of the person. */
  readonly hasMadeName?: boolean;
  readonly links: IdentityLinksRecord['links'];
  readonly passkeys: Passkeys;
}

export type Passkeys = WebauthnCredentialsRecord['credentials'];

/** What a converter found of a person: see {@link ConvertedPerson}. */
export type FoundPerson = Pick<ConvertedPerson, 'record' | 'fullName' | 'hasFactor' | 'passkeys'>;

/** The parameters of RFC 7914 section 2 that take about 16 MiB. A sign-in replaces the hash by argon2id. */
const [cost, blockSize] = [14, 8];

/** Makes an identifier for a person of this user name. */
export type Identify = (userName: string) => string;

/**
 * Applies a mapping to a person. The values of the mapping replace those that the converter found.
 * @throws ConversionError when a target does not take a value, or a rule refuses the person
 */
export function applyMapping(
  { entries, rules, passwordHash }: Mapping,
  source: SourceRecord,
  { found, identify }: { readonly found: FoundPerson; readonly identify: Identify },
): Omit<MappedPerson, 'links' | 'passkeys'> {
  let { record } = found;
  const [groups, roles, metadata]: [string[], string[], [string, string][]] = [[], [], []];
  for (const entry of entries) {
    const { to, separator, values = {} } = entry;
    for (const given of textsOf(source, pathOf(entry, source), {
      separator,
      isList: to === 'group' || to === 'roles',
    })) {
      const value = Object.hasOwn(values, given) ? (values[given] ?? '') : given;
      if (value === '') continue;
      if (to === 'group') groups.push(value);
      else if (to === 'roles') roles.push(value);
      else if (to.startsWith('metadata:')) metadata.push([to.slice('metadata:'.length), value]);
      else record = putValue(record, to, value);
    }
  }
  if (roles.length > 0) {
    const { scim } = record.user;
    const list = [...(scim?.roles ?? []), ...[...new Set(roles)].map((value) => ({ value }))];
    record = { ...record, user: { ...record.user, scim: { ...scim, roles: list } } };
  }
  const names = namesBy(rules, record, found.fullName);
  if (names !== undefined) {
    record = { ...record, user: { ...record.user, profile: { ...record.user.profile, ...names } } };
  }
  if (passwordHash !== undefined) record = withHashOfParts(record, source, passwordHash);
  record = withRules(withReadableHash(record, rules, source), rules, source);
  const isAlone = groups.length === 0 && metadata.length === 0;
  return {
    record: record.userId !== undefined || isAlone ? record : withIdentifier(record, identify),
    groups: [...new Set(groups)],
    metadata,
    hasMadeName: names !== undefined,
  };
}

/** Where the value of an entry is. A name with dots may be the name of one column. */
export function pathOf({ from, path }: Mapping['entries'][number], source: SourceRecord): readonly string[] {
  return typeof from === 'string' && source.look(from) !== undefined ? [from] : path;
}

/** Gives the person an identifier that is made of the user name. */
export function withIdentifier(record: HumanUserRecord, identify: Identify): HumanUserRecord {
  return { ...record, userId: identify(record.user.userName) };
}

/** The texts of a value: of its items, of its parts, or of itself. Takes the value. */
function textsOf(
  source: SourceRecord,
  path: readonly string[],
  { separator, isList }: { separator: string | undefined; isList: boolean },
): string[] {
  const value = source.take(...path);
  const items = Array.isArray(value) ? value : [value];
  const texts = items.flatMap((item) =>
    typeof item === 'object' || item === undefined ? [] : [String(item)],
  );
  const parts = separator === undefined ? texts : texts.flatMap((text) => text.split(separator));
  const present = parts.map((part) => part.trim()).filter((part) => part !== '');
  const hasOther = items.some((item) => typeof item === 'object' && item !== null);
  // An object has no text, and a target with one value takes the first.
  if (hasOther || (!isList && present.length > 1)) source.loseAlso(path.join('.'));
  return isList ? present : present.slice(0, 1);
}

/** The names that a rule makes. Undefined if it makes none. A full name that only a mapping brings is split on request. */
function namesBy(
  { names: rule }: Mapping['rules'],
  { user: { profile = {}, email } }: HumanUserRecord,
  fullName: string | undefined,
): Pick<NonNullable<HumanUserRecord['user']['profile']>, 'firstName' | 'lastName'> | undefined {
  const full = fullName ?? (rule === undefined ? undefined : profile.displayName);
  const made = madeNames(profile, { full, address: email?.email }, rule ?? 'split');
  return Object.keys(made).length === 0 ? undefined : made;
}

/** The path of a password in plain text that is left out. */
const clearPath = '(password)';
const longPassword =
  'PASSWORD-WEAK: the password has more than 200 characters, and no sign-in takes so many. --drop-hashes takes the person without it';
/** The path of a password hash that is left out. */
export const hashPath = '(password hash)';

/** The record with its hash as it is stored. A hash that cannot be read is left out, if a rule says so. @throws ConversionError */
function withReadableHash(
  record: HumanUserRecord,
  rules: Mapping['rules'],
  source: SourceRecord,
): HumanUserRecord {
  const { hashedPassword: given, ...user } = record.user;
  if (given === undefined) return record;
  // `{noop}secret` of Spring Security is a password in plain text like any other.
  const clear = clearPasswordIn(given.value);
  if (clear !== undefined) return { ...record, user: { ...user, password: clear } };
  const value = usableHash(given.value, rules);
  if (value === given.value) return record;
  if (value !== undefined) return { ...record, user: { ...user, hashedPassword: { value } } };
  source.loseAlso(hashPath);
  const { passwordChangeRequired: _, ...others } = user;
  return { ...record, user: user.password === undefined ? others : user };
}

/** The hash as it is stored. Undefined for one that cannot be read, if a rule leaves it out. @throws ConversionError if none does */
export function usableHash(
  text: string,
  { unreadableHashes }: Pick<Mapping['rules'], 'unreadableHashes'>,
): string | undefined {
  try {
    return requireHash(text);
  } catch (error) {
    if (unreadableHashes === 'drop' && error instanceof ConversionError) return undefined;
    throw error;
  }
}

function withRules(record: HumanUserRecord, rules: Mapping['rules'], source: SourceRecord): HumanUserRecord {
  const { email: given, phone: number, password, ...others } = record.user;
  const address = given?.email;
  const isVerified = given?.isEmailVerified === true;
  if (address === undefined && rules.missingEmail === 'refuse')
    throw new ConversionError('no e-mail address');
  const userName = rules.userName === 'email' && address !== undefined ? address : others.userName;
  if (userName === '') throw new ConversionError('no user name');
  const isDropped = address === undefined || (!isVerified && rules.unverifiedEmail === 'drop');
  const { firstName, lastName } = others.profile ?? {};
  if (rules.missingName === 'refuse' && (firstName === undefined || lastName === undefined)) {
    throw new ConversionError('no first or no last name');
  }
  return {
    ...record,
    user: {
      ...others,
      userName,
      ...(!isDropped && {
        email: { email: address, isEmailVerified: isVerified || rules.unverifiedEmail === 'trust' },
      }),
      ...(number?.phone !== undefined && { phone: number }),
      ...passwordBy(rules, { ...others, password }, source),
    },
  };
}

function passwordBy(
  { clearPasswords: rule = 'refuse', unreadableHashes }: Mapping['rules'],
  {
    password,
    hashedPassword,
  }: Pick<HumanUserRecord['user'], 'hashedPassword'> & { password: string | undefined },
  source: SourceRecord,
): { password?: string; hashedPassword?: { value: string } } {
  if (password === undefined) return {};
  if (rule === 'refuse') {
    throw new ConversionError(
      'a password in plain text; rules.clearPasswords of the mapping says what to do',
    );
  }
  if (hashedPassword !== undefined) throw new ConversionError('both a password and a hash');
  if (!mayBePassword(password)) {
    if (unreadableHashes !== 'drop') throw new ConversionError(longPassword);
    source.loseAlso(clearPath);
    return {};
  }
  if (rule === 'check') return { password };
  return { hashedPassword: { value: hashOf(password) } };
}

function hashOf(password: string): string {
  const salt = randomBytes(16);
  const key = scryptSync(normalizedPassword(password), salt, 32, { N: 2 ** cost, r: blockSize, p: 1 });
  const text = (bytes: Buffer) => bytes.toString('base64').replaceAll('=', '');
  return `$scrypt$ln=${cost},r=${blockSize},p=1$${text(salt)}$${text(key)}`;
}
