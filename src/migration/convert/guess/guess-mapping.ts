import type { JsonObject } from '#src/platform/json/json-object.js';
import type { MappingEntry, MappingFile, MappingRules } from '../mapping/mapping-schema.js';
import { type GuessedTarget, meaningOf } from './column-names.js';
import { type Column, columnsOf } from './columns-of.js';
import { looksLike, separatorOf, wordsOfFlag } from './value-shapes.js';

/** A column, and what the guess makes of it. */
export interface GuessedColumn {
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
}

/** A column that may become something. */
interface Candidate {
  readonly column: Column;
  readonly place: number;
  readonly target: GuessedTarget;
  readonly rank: number;
}

/** The targets that several columns may have. */
const ofSeveral = new Set<GuessedTarget>(['group', 'roles']);
const flags = new Set<GuessedTarget>([
  'active',
  'inactive',
  'emailVerified',
  'phoneVerified',
  'passwordChangeRequired',
]);

/**
 * Guesses the mapping of a table or of JSON records whose columns have any names: in English, German, French, Spanish, Italian, Dutch,
 * Portuguese or Swedish, and as many systems write them. The first values decide whether a column has what its name says. It changes and
 * writes nothing, and takes the same time for any content: see {@link columnsOf} for the bounds.
 * @param records the first records, or rows by the names of their columns; at most 100 are looked at. An empty row with the names is enough
 * @returns a mapping in the language of docs/mapping.schema.json. It names no column twice, and each target once. Without a column for the
 *   user name, the address is the user name
 */
export function guessMapping(records: readonly JsonObject[]): MappingGuess {
  const columns = columnsOf(records);
  const chosen = choose(columns);
  const entries = new Map(chosen.map((one) => [one.column, entryOf(one)] as const));
  const targets = new Set([...entries.values()].map(({ to }) => to));
  const hasUserName = targets.has('userName');
  const rules: MappingRules = {
    ...(!hasUserName && targets.has('email') && { userName: 'email' }),
    ...(targets.has('password') && { clearPasswords: 'check' }),
  };
  return {
    mapping: { attributes: columns.flatMap((column) => entries.get(column) ?? []), rules },
    columns: columns.map((column) => ({ name: column.path.join('.'), to: entries.get(column)?.to })),
    lacksUserName: !hasUserName && !targets.has('email'),
  };
}

/** Returns one column for each target, and any number for lists. */
function choose(columns: readonly Column[]): Candidate[] {
  const candidates = columns.flatMap((column, place) => candidateOf(column, place) ?? []);
  candidates.sort(
    (a, b) => a.rank - b.rank || a.column.path.length - b.column.path.length || a.place - b.place,
  );
  const taken = new Set<GuessedTarget>();
  const chosen = candidates.filter(({ target }) => {
    const kind = target === 'inactive' ? 'active' : target;
    if (ofSeveral.has(target)) return true;
    if (taken.has(kind)) return false;
    taken.add(kind);
    return true;
  });
  if (taken.has('email')) return chosen;
  const used = new Set(chosen.map(({ column }) => column));
  const place = columns.findIndex(
    (column) => !used.has(column) && column.values.length > 0 && looksLike('email', column.values),
  );
  const column = columns[place];
  return column === undefined ? chosen : [...chosen, { column, place, target: 'email', rank: 0 }];
}

function candidateOf(column: Column, place: number): Candidate | undefined {
  const found = meaningOf(column.path.join('.')) ?? meaningOf(column.path.at(-1) ?? '');
  if (found === undefined) return undefined;
  let { target } = found;
  // What says that an account works comes before what says that it does not.
  const rank = target === 'inactive' ? found.rank + 100 : found.rank;
  // A number is an identifier within its own system alone.
  if (target === 'id' && !looksLike('id', column.values)) target = 'externalId';
  if (column.isList && !ofSeveral.has(target)) return undefined;
  const isFlag = flags.has(target);
  if (isFlag && wordsOfFlag(column.values, target === 'inactive') === undefined) return undefined;
  // Passwords in plain text have a target of their own.
  if (!isFlag && target !== 'passwordHash' && !looksLike(target, column.values)) return undefined;
  if (target === 'userName' && new Set(column.values).size < column.values.length) return undefined;
  return { column, place, target, rank };
}

function entryOf({ column: { path, values, isList }, target }: Candidate): MappingEntry {
  const [name = ''] = path;
  const from =
    path.length === 1 ? name : path.some((step) => step.includes('.')) ? [...path] : path.join('.');
  if (target === 'inactive') return { from, to: 'active', values: wordsOfFlag(values, true) ?? {} };
  if (flags.has(target)) {
    const words = wordsOfFlag(values) ?? {};
    return { from, to: target, ...(Object.keys(words).length > 0 && { values: words }) };
  }
  if (ofSeveral.has(target)) {
    const separator = isList ? undefined : separatorOf(values);
    return { from, to: target, ...(separator !== undefined && { separator }) };
  }
  const isClear = target === 'passwordHash' && !looksLike('passwordHash', values);
  return { from, to: isClear ? 'password' : target };
}
