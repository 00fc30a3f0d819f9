import { createHash, randomBytes, scryptSync } from 'node:crypto';
import { normalizedPassword } from '#src/keys/password-forms.js';
import type { HumanUserRecord } from '../../format/human-user.record.js';
import type { IdentityLinksRecord } from '../../format/identity-links.record.js';
import type { WebauthnCredentialsRecord } from '../../format/webauthn-credentials.record.js';
import { ConversionError } from '../reading/read-fields.js';
import type { SourceRecord } from '../reading/source-record.js';
import { personNames } from '../values/person-names.js';
import type { Mapping } from './read-mapping.js';
import { putValue } from './targets.js';

/** A person after the mapping, and what stands outside of the record. */
export interface MappedPerson {
  readonly record: HumanUserRecord;
  /** The names of the groups. */
  readonly groups: readonly string[];
  readonly metadata: readonly (readonly [key: string, value: string])[];
  readonly links: IdentityLinksRecord['links'];
  readonly passkeys: Passkeys;
}

export type Passkeys = WebauthnCredentialsRecord['credentials'];

/** The parameters of RFC 7914 section 2 that take about 16 MiB. A sign-in replaces the hash by argon2id. */
const [cost, blockSize] = [14, 8];

/**
 * Applies a mapping to a person. The values of the mapping replace those that the converter found.
 * @throws ConversionError when a target does not take a value, or a rule refuses the person
 */
export function applyMapping(
  { entries, rules }: Mapping,
  source: SourceRecord,
  found: HumanUserRecord,
): Omit<MappedPerson, 'links' | 'passkeys'> {
  let record = found;
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
  record = withRules(record, rules);
  const isAlone = groups.length === 0 && metadata.length === 0;
  return {
    record: record.userId !== undefined || isAlone ? record : withIdentifier(record),
    groups: [...new Set(groups)],
    metadata,
  };
}

/** Where the value of an entry is. A name with dots may be the name of one column. */
export function pathOf({ from, path }: Mapping['entries'][number], source: SourceRecord): readonly string[] {
  return typeof from === 'string' && source.look(from) !== undefined ? [from] : path;
}

/**
 * Gives the person an identifier that depends on the user name alone, so that another conversion gives the same one.
 * @param orgId makes the identifier another one in each organization, if given
 */
export function withIdentifier(record: HumanUserRecord, orgId?: string): HumanUserRecord {
  const place = orgId === undefined ? '' : `${orgId} `;
  const name = `person ${place}${record.user.userName.toLowerCase()}`;
  return { ...record, userId: createHash('sha256').update(name).digest('hex').slice(0, 32) };
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

function withRules(record: HumanUserRecord, rules: Mapping['rules']): HumanUserRecord {
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
      ...(others.profile === undefined && { profile: personNames({ email: address }) }),
      ...(!isDropped && {
        email: { email: address, isEmailVerified: isVerified || rules.unverifiedEmail === 'trust' },
      }),
      ...(number?.phone !== undefined && { phone: number }),
      ...passwordBy(rules.clearPasswords ?? 'refuse', { ...others, password }),
    },
  };
}

function passwordBy(
  rule: 'refuse' | 'check' | 'exempt',
  {
    password,
    hashedPassword,
  }: Pick<HumanUserRecord['user'], 'hashedPassword'> & { password: string | undefined },
): { password?: string; hashedPassword?: { value: string } } {
  if (password === undefined) return {};
  if (rule === 'refuse') {
    throw new ConversionError(
      'a password in plain text; rules.clearPasswords of the mapping says what to do',
    );
  }
  if (hashedPassword !== undefined) throw new ConversionError('both a password and a hash');
  if (rule === 'check') return { password };
  return { hashedPassword: { value: hashOf(password) } };
}

function hashOf(password: string): string {
  const salt = randomBytes(16);
  const key = scryptSync(normalizedPassword(password), salt, 32, { N: 2 ** cost, r: blockSize, p: 1 });
  const text = (bytes: Buffer) => bytes.toString('base64').replaceAll('=', '');
  return `$scrypt$ln=${cost},r=${blockSize},p=1$${text(salt)}$${text(key)}`;
}
