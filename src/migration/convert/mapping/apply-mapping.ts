import { createHash, randomBytes, scryptSync } from 'node:crypto';
import { normalizedPassword } from '#src/keys/password-forms.js';
import type { HumanUserRecord } from '../../format/human-user.record.js';
import { ConversionError } from '../reading/read-fields.js';
import type { SourceRecord } from '../reading/source-record.js';
import { personNames } from '../values/person-names.js';
import { MadeValues } from './made-values.js';
import type { MappingAttribute } from './mapping-attribute.js';
import type { Mapping } from './read-mapping.js';
import { RecordReader } from './record-reader.js';
import type { SourcePath } from './source-path.js';

/** A person after the mapping, and what stands outside of the record. */
export interface MappedPerson {
  readonly record: HumanUserRecord;
  /** The names of the groups. */
  readonly groups: readonly string[];
  readonly metadata: readonly (readonly [key: string, value: string])[];
  /** What the person is told about values that are left out. */
  readonly notes?: readonly string[];
}

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
): MappedPerson {
  const reader = new RecordReader(source);
  const made = new MadeValues(found);
  for (const entry of entries) {
    if (entry.isSingle && made.has(entry.to)) continue;
    if (!entry.when.every((condition) => reader.holds(condition))) continue;
    const { values, path } = valuesOf(entry, reader);
    for (const value of values) if (!made.put(entry, value, reader) && path !== undefined) reader.lose(path);
  }
  reader.settle();
  const { groups, metadata } = made;
  let { record } = made;
  record = withRules(record, rules);
  const user = made.lists.into(record.user, { rules, named: made.targets }, made.notes);
  record = { ...record, user };
  const isAlone = groups.length === 0 && metadata.length === 0;
  return {
    record: record.userId !== undefined || isAlone ? record : withIdentifier(record),
    groups: [...new Set(groups)],
    metadata,
    notes: made.notes,
  };
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

/** The values of an attribute in the words of the mapping, and the path that has them. */
function valuesOf(
  entry: MappingAttribute,
  reader: RecordReader,
): { values: readonly string[]; path: SourcePath | undefined } {
  const { value, paths, separator, values, otherwise, isSingle } = entry;
  if (value !== undefined) return { values: [value], path: undefined };
  const options = { isList: !isSingle, separator };
  for (const path of paths) {
    const texts = reader.texts(path, options);
    if (texts.length > 0) return { values: translated(texts, values, otherwise), path };
  }
  return { values: [], path: undefined };
}

function translated(
  texts: string[],
  values: MappingAttribute['values'],
  otherwise: string | undefined,
): string[] {
  if (values === undefined && otherwise === undefined) return texts;
  return texts
    .map((text) => (values !== undefined && Object.hasOwn(values, text) ? values[text] : otherwise) ?? text)
    .filter((text) => text !== '');
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
      ...passwordBy(rules.clearPasswords ?? 'check', { ...others, password }),
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
