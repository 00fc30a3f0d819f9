import { hash, randomBytes, scryptSync } from 'node:crypto';
import { normalizedPassword } from '#src/keys/password-forms.js';
import type { HumanUserRecord } from '../../format/human-user.record.js';
import { ConversionError } from '../reading/read-fields.js';
import type { SourceRecord } from '../reading/source-record.js';
import { personNames } from '../values/person-names.js';
import { ListedValues } from './listed-values.js';
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
  const reader = new RecordReader(source, { dropsApostrophe: rules.apostrophes === 'remove' });
  const made = new MadeValues(found);
  for (const entry of entries) {
    if (entry.isSingle && made.targets.has(entry.to)) continue;
    if (entry.when.length > 0 && !entry.when.every((condition) => reader.holds(condition))) continue;
    putEntry(entry, reader, made);
  }
  reader.settle();
  const { groups, metadata, notes } = made;
  const { record } = made.draft;
  applyRules(record.user, rules);
  if (
    made.lists !== undefined ||
    record.user.scim?.emails !== undefined ||
    record.user.scim?.phoneNumbers !== undefined
  )
    record.user = (made.lists ?? new ListedValues()).into(record.user, { rules, named: made.targets }, notes);
  const isAlone = groups.length === 0 && metadata.length === 0;
  return {
    record: record.userId !== undefined || isAlone ? record : withIdentifier(record),
    groups: groups.length > 1 ? [...new Set(groups)] : groups,
    metadata,
    notes,
  };
}

/**
 * Gives the person an identifier that depends on the user name alone, so that another conversion gives the same one.
 * @param orgId makes the identifier another one in each organization, if given
 */
export function withIdentifier(record: HumanUserRecord, orgId?: string): HumanUserRecord {
  const place = orgId === undefined ? '' : `${orgId} `;
  const name = `person ${place}${record.user.userName.toLowerCase()}`;
  return { ...record, userId: hash('sha256', name).slice(0, 32) };
}

/** Puts the values of an attribute, in the words of the mapping, to their place. */
function putEntry(entry: MappingAttribute, reader: RecordReader, made: MadeValues): void {
  if (entry.value !== undefined) made.put(entry, entry.value, reader);
  for (const path of entry.paths) {
    if (entry.isSingle) {
      const text = reader.text(path);
      if (text === undefined) continue;
      putText(entry, { text, path }, { reader, made });
      return;
    }
    const texts = reader.texts(path, { isList: true, separator: entry.separator });
    if (texts.length === 0) continue;
    for (const text of texts) putText(entry, { text, path }, { reader, made });
    return;
  }
}

function putText(
  entry: MappingAttribute,
  { text, path }: { readonly text: string; readonly path: SourcePath },
  { reader, made }: { readonly reader: RecordReader; readonly made: MadeValues },
): void {
  const { values, otherwise } = entry;
  const word = values !== undefined && Object.hasOwn(values, text) ? values[text] : otherwise;
  const value = word ?? text;
  if (value !== '' && !made.put(entry, value, reader)) reader.lose(path);
}

/** A user whose values may be taken away without another shape of the object. */
type DraftUser = { [Name in keyof HumanUserRecord['user']]: HumanUserRecord['user'][Name] | undefined } & {
  userName: string;
};

/** @param user of a draft, so that it is changed in place */
function applyRules(user: DraftUser, rules: Mapping['rules']): void {
  const address = user.email?.email;
  const isVerified = user.email?.isEmailVerified === true;
  if (address === undefined && rules.missingEmail === 'refuse')
    throw new ConversionError('no e-mail address');
  if (rules.userName === 'email' && address !== undefined) user.userName = address;
  if (user.userName === '') throw new ConversionError('no user name');
  const { firstName, lastName } = user.profile ?? {};
  if (rules.missingName === 'refuse' && (firstName === undefined || lastName === undefined)) {
    throw new ConversionError('no first or no last name');
  }
  user.profile ??= personNames({ email: address });
  if (address !== undefined && (isVerified || rules.unverifiedEmail !== 'drop'))
    user.email = { email: address, isEmailVerified: isVerified || rules.unverifiedEmail === 'trust' };
  else user.email = undefined;
  if (user.phone?.phone === undefined) user.phone = undefined;
  const { password } = user;
  if (password === undefined) return;
  user.password = undefined;
  Object.assign(
    user,
    passwordBy(rules.clearPasswords ?? 'check', { hashedPassword: user.hashedPassword, password }),
  );
}

function passwordBy(
  rule: 'refuse' | 'check' | 'exempt',
  { password, hashedPassword }: Pick<DraftUser, 'hashedPassword' | 'password'>,
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
