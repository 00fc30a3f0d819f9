import type { HumanUserRecord } from '../../format/human-user.record.js';
import type { IdentityLinksRecord } from '../../format/identity-links.record.js';
import { ConversionError } from '../reading/read-fields.js';
import type { SourceRecord } from '../reading/source-record.js';
import { madeNames, type NamesRule } from '../values/person-names.js';
import { hashInParts } from './hash-parts.js';
import { ListedValues } from './listed-values.js';
import { MadeValues } from './made-values.js';
import type { MappingAttribute } from './mapping-attribute.js';
import type { MappingRules } from './mapping-schema.js';
import { applyPasswordRules } from './password-rules.js';
import type { ConvertedPerson, Passkeys } from './people-format.js';
import type { Mapping } from './read-mapping.js';
import { RecordReader } from './record-reader.js';
import type { SourcePath } from './source-path.js';
import type { DraftRecord, DraftUser } from './targets.js';

/** A person after the mapping, and what stands outside of the record. */
export interface MappedPerson {
  readonly record: HumanUserRecord;
  /** The names of the groups. */
  readonly groups: readonly string[];
  readonly metadata: readonly (readonly [key: string, value: string])[];
  /** What the person is told about values that are left out. */
  readonly notes?: readonly string[];
  /** Whether a rule made a name of the person. */
  readonly hasMadeName?: boolean;
  readonly links: IdentityLinksRecord['links'];
  readonly passkeys: Passkeys;
}

/** What a converter found of a person: see {@link ConvertedPerson}. */
export type FoundPerson = Pick<ConvertedPerson, 'record' | 'fullName' | 'hasFactor' | 'passkeys'>;

/** What a mapping is applied to. `beforePasswords` is called before the rules for passwords. */
interface MappingContext {
  readonly found: FoundPerson;
  readonly identify: Identify;
  readonly beforePasswords?: (user: DraftUser) => void;
}

/** Makes an identifier for a person of this user name. */
export type Identify = (userName: string) => string;

/**
 * Applies a mapping to a person. The values of the mapping replace those that the converter found.
 * @throws ConversionError when a target does not take a value, or a rule refuses the person
 */
export function applyMapping(
  { entries, rules, passwordHash }: Mapping,
  source: SourceRecord,
  { found, identify, beforePasswords }: MappingContext,
): Omit<MappedPerson, 'links' | 'passkeys'> {
  const reader = new RecordReader(source, { dropsApostrophe: rules.apostrophes === 'remove' });
  const made = new MadeValues(found.record);
  for (const entry of entries) {
    if (entry.isSingle && made.targets.has(entry.to)) {
      passOver(entry, reader);
      continue;
    }
    if (entry.when.length > 0 && !entry.when.every((condition) => reader.holds(condition))) continue;
    putEntry(entry, reader, made);
  }
  const { groups, metadata, notes, draft } = made;
  const { record } = draft;
  if (passwordHash !== undefined) {
    const value = hashInParts(passwordHash, reader);
    if (value !== undefined) record.user.hashedPassword = { value };
  }
  reader.settle();
  const hasMadeName = makeNames(draft, found.fullName, rules.names);
  applyRules(record.user, rules);
  beforePasswords?.(record.user);
  applyPasswordRules(record.user, rules, source);
  if (
    made.lists !== undefined ||
    record.user.scim?.emails !== undefined ||
    record.user.scim?.phoneNumbers !== undefined
  )
    record.user = (made.lists ?? new ListedValues()).into(record.user, { rules, named: made.targets }, notes);
  const isAlone = groups.length === 0 && metadata.length === 0;
  return {
    record: record.userId !== undefined || isAlone ? record : withIdentifier(record, identify),
    groups: groups.length > 1 ? [...new Set(groups)] : groups,
    metadata,
    notes,
    hasMadeName,
  };
}

/** Gives the person an identifier that is made of the user name. */
export function withIdentifier(record: HumanUserRecord, identify: Identify): HumanUserRecord {
  return { ...record, userId: identify(record.user.userName) };
}

/**
 * Another attribute has given the target its value. Several flags may decide together whether a person is active, such as those of being
 * blocked and removed: each of them is used then, and none is lost.
 */
function passOver({ to, paths }: MappingAttribute, reader: RecordReader): void {
  if (to === 'active') for (const path of paths) reader.text(path);
}

/** Puts the values of an attribute, in the words of the mapping, to their place. */
function putEntry(entry: MappingAttribute, reader: RecordReader, made: MadeValues): void {
  if (entry.value !== undefined) made.put(entry, entry.value, reader);
  for (const path of entry.paths) {
    if (entry.isSingle) {
      const text = entry.isExact ? reader.exactText(path) : reader.text(path);
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
  const value = entry.values?.get(text) ?? entry.otherwise ?? text;
  if (value !== '' && !made.put(entry, value, reader)) reader.lose(path);
}

/**
 * Adds the names that a rule makes. A full name that only a mapping brings is split on request.
 * @returns whether the rule made any
 */
function makeNames(draft: DraftRecord, fullName: string | undefined, rule: NamesRule | undefined): boolean {
  const { profile = {}, email } = draft.record.user;
  const full = fullName ?? (rule === undefined ? undefined : profile.displayName);
  const names = madeNames(profile, { full, address: email?.email }, rule ?? 'split');
  if (Object.keys(names).length === 0) return false;
  Object.assign(draft.profile, names);
  return true;
}

/** @param user of a draft, so that it is changed in place */
function applyRules(user: DraftUser, rules: MappingRules): void {
  const address = user.email?.email;
  const isVerified = user.email?.isEmailVerified === true;
  if (address === undefined && rules.missingEmail === 'refuse') throw new ConversionError('noAddress');
  if (rules.userName === 'email' && address !== undefined) user.userName = address;
  if (user.userName === '') throw new ConversionError('noUserName');
  const { firstName, lastName } = user.profile ?? {};
  if (rules.missingName === 'refuse' && (firstName === undefined || lastName === undefined)) {
    throw new ConversionError('noName');
  }
  if (address !== undefined && (isVerified || rules.unverifiedEmail !== 'drop'))
    user.email = { email: address, isEmailVerified: isVerified || rules.unverifiedEmail === 'trust' };
  else user.email = undefined;
  if (user.phone?.phone === undefined) user.phone = undefined;
}
