import type { JsonObject } from '#src/platform/json/json-object.js';
import type { MappingEntry, MappingFile, MappingRules } from '../mapping/mapping-schema.js';
import { isOfAddress, takesSeveral, targetNames } from '../mapping/targets.js';
import { isOfState, saysState, stateEntries } from './account-state.js';
import { columnWord, mayBeOwn, meaningOfColumn } from './column-meaning.js';
import { contactKindOf, type GuessedTarget, isOfHashes, plainName } from './column-names.js';
import { type Column, columnName, columnsOf, mappedPath } from './columns-of.js';
import { hashColumnsIn, type UnclearHash } from './hash-columns.js';
import { whoseModel } from './records-of-models.js';
import { type Candidate, settleCandidates, unknownStatesAmong } from './settle-candidates.js';
import { areDates, areNamedHashes, haveHash, looksLike, separatorOf, wordsOfFlag } from './value-shapes.js';

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
  /** The columns of a hash that are left out. */
  readonly unclearHash?: UnclearHash | undefined;
  /** The columns that seem to say which accounts may be used, in words that nobody knows. They are left out. */
  readonly unknownStates: readonly string[];
}

const flags = ['emailVerified', 'phoneVerified', 'passwordChangeRequired'];
/** Columns with the names of these targets are looked at like any other. Their values decide. */
const decidedByValues = ['id', 'password', 'active', 'group', 'roles', 'timezone', ...flags];
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
  const hashes = hashColumnsIn(nameable);
  const usable = nameable.filter((column) => !hashes.taken.includes(column));
  const picked = choose(usable, { hasHash: hashes.hash !== undefined });
  const chosen = new Map(picked.map((one) => [one.column, one] as const));
  const entries = new Map(picked.map((one) => [one.column, entriesOf(one)] as const));
  const ofState = picked.flatMap(({ target, column }) =>
    isOfState(target)
      ? [{ target, word: columnWord(column), from: mappedPath(column.path), values: column.values }]
      : [],
  );
  const made = columns.flatMap((column) => entries.get(column) ?? []);
  const targets = new Set(made.map(({ to }) => to));
  const hasUserName = targets.has('userName');
  const rules: MappingRules = {
    ...(!hasUserName && targets.has('email') && { userName: 'email' }),
    ...(targets.has('password') && { clearPasswords: 'check' }),
  };
  const attributes = [...stateEntries(ofState), ...withAddressAsName(made, picked, records)];
  return {
    mapping: {
      ...whoseModel({ attributes: attributes.slice(0, mostEntries), rules }, records),
      ...(hashes.parts && { passwordHash: hashes.parts }),
    },
    columns: columns.map((column) => ({
      name: columnName(column),
      to: column === hashes.hash ? 'passwordHash' : shownTarget(chosen.get(column)?.target),
    })),
    lacksUserName: !hasUserName && !targets.has('email'),
    unclearHash: hashes.unclear,
    unknownStates: unknownStatesAmong(usable, picked).map(columnName),
  };
}

/** People without a user name sign in with their address, if others have one. */
function withAddressAsName(
  entries: readonly MappingEntry[],
  picked: readonly Candidate[],
  records: readonly JsonObject[],
): readonly MappingEntry[] {
  const namer = picked.find(({ target }) => target === 'userName');
  const address = picked.find(({ target, column }) => target === 'email' && column.values.length > 0);
  const people = Math.min(records.length, mostLookedAt);
  if (namer === undefined || address === undefined || namer.column.values.length >= people) return entries;
  // A table that was written for us means what it says.
  if (columnName(namer.column) === 'userName') return entries;
  const or = [mappedPath(address.column.path)];
  return entries.map((entry) => (entry.to === 'userName' ? { ...entry, or } : entry));
}

function shownTarget(target: string | undefined): string | undefined {
  return target !== undefined && isOfState(target) ? 'active' : target;
}

/** A mapping takes no more attributes, and no longer or empty names. */
const mostEntries = 500;
const longestName = 500;
/** As many as `columnsOf` looks at. */
const mostLookedAt = 100;

function isNameable(column: Column): boolean {
  return columnName(column).length <= longestName && column.path.every((step) => step !== '');
}

/** Returns the best column for each target, and any number for lists. */
function choose(columns: readonly Column[], { hasHash }: { readonly hasHash: boolean }): Candidate[] {
  const found = columns.flatMap((column, place) => candidateOf(column, place) ?? []);
  const candidates = settleCandidates(found, columns);
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
  const hasHashes = hasHash || has(chosen, 'passwordHash') || has(chosen, 'password');
  const missing = [
    ...(has(chosen, 'email') ? [] : (['email'] as const)),
    ...(hasHashes ? [] : (['passwordHash'] as const)),
  ];
  const added = missing.flatMap((target) => byValuesAlone(target, chosen, columns));
  // A column without values gives way.
  return [...chosen.filter(({ target }) => !added.some((one) => one.target === target)), ...added];
}

/** Whether a column with values becomes this target. */
function has(chosen: readonly Candidate[], wanted: string): boolean {
  return chosen.some(({ target, column }) => target === wanted && column.values.length > 0);
}

/** The first column whose values say what they are, whatever its name is: addresses, or hashes that name their form. */
function byValuesAlone(
  target: 'email' | 'passwordHash',
  chosen: readonly Candidate[],
  columns: readonly Column[],
): Candidate[] {
  const used = new Set(chosen.map(({ column }) => column));
  const says = target === 'passwordHash' ? areNamedHashes : areOwnAddresses;
  const place = columns.findIndex(
    (column) =>
      !used.has(column) &&
      !column.path.includes('[]') &&
      column.values.length > 0 &&
      mayBeOwn(target, column) &&
      says(column.values),
  );
  const column = columns[place];
  return column === undefined ? [] : [{ column, place, target, rank: 0 }];
}

/** An address that several people have is that of a manager. */
function areOwnAddresses(values: readonly string[]): boolean {
  return looksLike('email', values) && new Set(values).size === values.length;
}

function candidateOf(column: Column, place: number): Candidate | undefined {
  const { path, values, isList } = column;
  const name = columnName(column);
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
  const from = mappedPath(path);
  if (isOfState(target)) return [];
  if (isVerifiedAt(target, { values, name: columnName(column) }))
    return [{ value: 'true', to: target, when: { from } }];
  if (flags.includes(target)) {
    const words = wordsOfFlag(values) ?? {};
    return [{ from, to: target, ...(Object.keys(words).length > 0 && { values: words }) }];
  }
  const kind = contactKindOf(columnName(column));
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
