import type { JsonObject } from '#src/platform/json/json-object.js';
import type { MappingEntry, MappingFile, MappingRules } from '../mapping/mapping-schema.js';
import { isOfAddress, takesSeveral, targetNames } from '../mapping/targets.js';
import { isOfState, saysState, stateEntries } from './account-state.js';
import {
  contactKindOf,
  type GuessedTarget,
  isOfHashes,
  isOfSalts,
  meaningOf,
  meaningOfItems,
  plainName,
} from './column-names.js';
import { type Column, columnsOf } from './columns-of.js';
import {
  areBareDigests,
  areDates,
  areNamedHashes,
  haveHash,
  looksLike,
  separatorOf,
  wordsOfFlag,
} from './value-shapes.js';

/** A column, and what the guess makes of it. */
interface GuessedColumn {
  /** The name of the column in a table, or the path of the value in JSON records: `profile.badge`. */
  readonly name: string;
  /** The target of the mapping. Undefined if the column would be left out. */
  readonly to: string | undefined;
}

/** What the records of an unknown source probably mean. */
export interface MappingGuess {
  /** The content of a file for `--map`. */
  readonly mapping: MappingFile;
  /** Every column, in its order. */
  readonly columns: readonly GuessedColumn[];
  /** Whether nothing gives the people a name to sign in with. Every person would be refused. */
  readonly lacksUserName: boolean;
  /** The columns of a hash and of its salt. They are left out, because only a mapping can say how they go together. */
  readonly saltedHash?: readonly [hash: string, salt: string] | undefined;
}

/** A column that may become something. */
interface Candidate {
  readonly column: Column;
  readonly place: number;
  /** A target of a mapping, or what says that an account is not active. */
  readonly target: string;
  readonly rank: number;
}

const flags = ['emailVerified', 'phoneVerified', 'passwordChangeRequired'];
/** Columns with the names of these targets are looked at like any other. Their values decide. */
const decidedByValues = ['id', 'password', 'active', ...flags];
/** Meteor has bcrypt of the hexadecimal SHA-256 of a password there (meteor/packages/accounts-password). */
const hashOfMeteor = 'services.password.bcrypt';
/** What a second column of a target becomes. */
const further: Readonly<Record<string, string>> = { email: 'emails', phone: 'phoneNumbers' };

/**
 * Guesses the mapping of a table or of JSON records whose columns have any names: in English, German, French, Spanish, Italian, Dutch,
 * Portuguese or Swedish, as many systems write them, or the names of targets. The first values decide whether a column has what its name says.
 * It changes and writes nothing, and has bounds for any content: see {@link columnsOf}.
 * @param records the first records, or rows by the names of their columns; at most 100 are looked at. A row with empty cells is enough
 * @returns a mapping in the language of docs/mapping.schema.json. Without a column for the user name, the address is the user name
 */
export function guessMapping(records: readonly JsonObject[]): MappingGuess {
  const columns = columnsOf(records);
  const nameable = columns.filter(isNameable);
  const saltedHash = saltedHashIn(nameable);
  const usable = nameable.filter((column) => !saltedHash?.includes(nameOf(column)));
  const chosen = new Map(choose(usable).map((one) => [one.column, one] as const));
  const entries = new Map([...chosen].map(([column, one]) => [column, entriesOf(one)] as const));
  const ofState = [...chosen.values()].flatMap(({ target, column: { path, values } }) =>
    isOfState(target) ? [{ target, from: placeOf(path), values }] : [],
  );
  const targets = new Set([...entries.values()].flat().map(({ to }) => to));
  const parts = [...chosen.keys()].find((column) => nameOf(column) === hashOfMeteor);
  const hasUserName = targets.has('userName');
  const rules: MappingRules = {
    ...(!hasUserName && targets.has('email') && { userName: 'email' }),
    ...(targets.has('password') && { clearPasswords: 'check' }),
  };
  return {
    mapping: {
      attributes: [...stateEntries(ofState), ...columns.flatMap((column) => entries.get(column) ?? [])].slice(
        0,
        mostEntries,
      ),
      ...(parts && { passwordHash: { hash: { from: hashOfMeteor }, algorithm: 'bcrypt-sha256-hex' } }),
      rules,
    },
    columns: columns.map((column) => ({ name: nameOf(column), to: shownTarget(chosen.get(column)?.target) })),
    lacksUserName: !hasUserName && !targets.has('email'),
    ...(saltedHash && { saltedHash }),
  };
}

function shownTarget(target: string | undefined): string | undefined {
  return target !== undefined && isOfState(target) ? 'active' : target;
}

/** A column of bare digests beside one of salts. Such a digest alone would never fit. */
function saltedHashIn(columns: readonly Column[]): readonly [string, string] | undefined {
  const salt = columns.find(({ path, values }) => values.length > 0 && isOfSalts(path.at(-1) ?? ''));
  const hash = columns.find(
    (column) => meaningOfColumn(column)?.target === 'passwordHash' && areBareDigests(column.values),
  );
  return salt === undefined || hash === undefined ? undefined : [nameOf(hash), nameOf(salt)];
}

/** Exports of MongoDB and of DynamoDB name the type of a value: `{"$oid": …}`, `{"S": …}`. */
const typeName = /^(?:\$.+|S|N|BOOL)$/;
/** A mapping takes no more attributes, and no longer or empty names. */
const mostEntries = 500;
const longestName = 500;

function isNameable(column: Column): boolean {
  return nameOf(column).length <= longestName && column.path.every((step) => step !== '');
}

/** Returns the best column for each target, and any number for lists. */
function choose(columns: readonly Column[]): Candidate[] {
  const candidates = columns.flatMap((column, place) => candidateOf(column, place) ?? []);
  candidates.sort(
    (a, b) => a.rank - b.rank || a.column.path.length - b.column.path.length || a.place - b.place,
  );
  const taken = new Set<string>();
  const chosen = candidates.flatMap((one) => {
    const kind = one.target;
    if (takesSeveral(kind) || isOfState(kind)) return [one];
    const isFirst = !taken.has(kind);
    taken.add(kind);
    const other = further[kind];
    return isFirst ? [one] : other === undefined ? [] : [{ ...one, target: other }];
  });
  const hasPassword = taken.has('passwordHash') || taken.has('password');
  const missing = [...(taken.has('email') ? [] : ['email']), ...(hasPassword ? [] : ['passwordHash'])];
  return [...chosen, ...missing.flatMap((target) => byValuesAlone(target, chosen, columns))];
}

/** The first column whose values say what they are, whatever its name is: addresses, or hashes that name their form. */
function byValuesAlone(
  target: string,
  chosen: readonly Candidate[],
  columns: readonly Column[],
): Candidate[] {
  const used = new Set(chosen.map(({ column }) => column));
  const says =
    target === 'passwordHash' ? areNamedHashes : (values: readonly string[]) => looksLike(target, values);
  const place = columns.findIndex(
    (column) =>
      !used.has(column) && !column.path.includes('[]') && column.values.length > 0 && says(column.values),
  );
  const column = columns[place];
  return column === undefined ? [] : [{ column, place, target, rank: 0 }];
}

function candidateOf(column: Column, place: number): Candidate | undefined {
  const { path, values, isList } = column;
  const name = nameOf(column);
  if (targetNames.includes(name) && !decidedByValues.includes(name))
    return { column, place, target: name, rank: -1 };
  const found = meaningOfColumn(column);
  if (found === undefined) return undefined;
  const target = byValues(found.target, values, path.at(-1) ?? '');
  if (isList && !takesSeveral(target)) return undefined;
  if (!fits(target, { values, name, isOwnName: path.length === 1 && name === target })) return undefined;
  // What says that an account works comes before what says that it does not.
  return { column, place, target, rank: target === 'inactive' ? found.rank + 100 : found.rank };
}

function meaningOfColumn({
  path: given,
}: Pick<Column, 'path'>): { target: GuessedTarget; rank: number } | undefined {
  const end = given.findLastIndex((step) => !typeName.test(step));
  const path = end < 0 ? given : given.slice(0, end + 1);
  const last = path.at(-1) ?? '';
  if (!path.includes('[]')) return meaningOf(path.join('.')) ?? meaningOf(last);
  // `emails[].address`, and no value within a list of anything else.
  const target = path.at(-2) === '[]' ? meaningOfItems(path.at(-3) ?? '', last) : undefined;
  return target && { target, rank: 0 };
}

/** What the values of a column say about its meaning. */
function byValues(target: GuessedTarget, values: readonly string[], name: string): string {
  // A number is an identifier within its own system alone.
  if (target === 'id' && !looksLike('id', values)) return 'externalId';
  // Passwords in plain text have a target of their own. A hash is none, whatever the other cells have: who has the file could sign in with it.
  const mayBeClear = !looksLike('passwordHash', values) && !isOfHashes(name) && !haveHash(values);
  if (target === 'passwordHash' && mayBeClear) return 'password';
  return target;
}

function fits(
  target: string,
  of: { readonly values: readonly string[]; readonly name: string; readonly isOwnName: boolean },
): boolean {
  const { values, name, isOwnName } = of;
  // A column `active` with other words must not be left out, so that nobody becomes active by it. The conversion tells its words.
  if (isOfState(target)) return isOwnName || saysState(target, values, plainName(name));
  if (flags.includes(target))
    return isOwnName || wordsOfFlag(values) !== undefined || isVerifiedAt(target, of);
  // A column that is said to have hashes has nothing else. A hash that nobody can read is refused or left out by a rule.
  if (target === 'passwordHash') return true;
  if (target === 'userName') return new Set(values).size === values.length;
  return looksLike(target, values);
}

/** Whether a column says since when an address or number is verified. */
function isVerifiedAt(
  target: string,
  { values, name }: { values: readonly string[]; name: string },
): boolean {
  if (!target.endsWith('Verified')) return false;
  return areDates(values) || (values.length === 0 && /at$/i.test(name));
}

function entriesOf({ column, target }: Candidate): MappingEntry[] {
  const { path, values, isList } = column;
  const from = placeOf(path);
  if (isOfState(target) || nameOf(column) === hashOfMeteor) return [];
  if (isVerifiedAt(target, { values, name: nameOf(column) }))
    return [{ value: 'true', to: target, when: { from } }];
  if (flags.includes(target)) {
    const words = wordsOfFlag(values) ?? {};
    return [{ from, to: target, ...(Object.keys(words).length > 0 && { values: words }) }];
  }
  const kind = contactKindOf(nameOf(column));
  const type = kind === undefined ? {} : { type: kind };
  const other = further[target];
  if (path.includes('[]') && other !== undefined)
    return [
      { from, to: target },
      { from, to: other, ...type },
    ];
  if (isOfAddress(target) || target === 'emails' || target === 'phoneNumbers')
    return [{ from, to: target, ...type }];
  const separator = isList || !takesSeveral(target) || target === 'photos' ? undefined : separatorOf(values);
  return [{ from, to: target, ...(separator !== undefined && { separator }) }];
}

function nameOf({ path }: Column): string {
  return path.join('.').replaceAll('.[]', '[]');
}

/** The path as a mapping has it: as parts if a name has a dot. A name of one column stands for itself. */
function placeOf(path: readonly string[]): string | string[] {
  const [name = ''] = path;
  if (path.length === 1) return name;
  const isClear = path.every((step) => step === '[]' || !/[.[\]]/.test(step));
  return isClear || path.includes('[]') ? nameOf({ path, values: [], isList: false }) : [...path];
}
