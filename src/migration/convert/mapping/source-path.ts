import { isJsonObject } from '#src/platform/json/json-object.js';
import { StartError } from '#src/platform/start-error.js';
import type { MappingEntry } from './mapping-schema.js';

/** A path of a mapping, as it was given. */
export type GivenPath = NonNullable<MappingEntry['from']>;

/** Which items of a list count. */
export interface ItemFilter {
  /** The place of the item. The filter then has nothing else. */
  readonly index?: number;
  /** The way to the value of an item that is compared. */
  readonly path: readonly string[];
  readonly isEqual: boolean;
  /** What it is compared with: a text, or the value that the record has at a path. */
  readonly text: string;
  readonly other?: readonly string[];
}

/** A step of a path: into a member, or into the items of a list. */
export type PathStep = string | readonly ItemFilter[];

/** A path of a mapping that was read. */
export interface SourcePath {
  readonly given: GivenPath;
  /** The name of one column that looks like a path. It comes first. */
  readonly whole: string | undefined;
  readonly steps: readonly PathStep[];
  /** The steps of a path without lists. */
  readonly names: readonly string[] | undefined;
}

const mostSteps = 50;
const equation = /^([^=!$\s][^=!]*?)(!?=)(.*)$/s;

/** Reads a path. A bracket that is no step into a list belongs to a name, as in `First Name [Required]`. @throws StartError */
export function readPath(given: GivenPath): SourcePath {
  if (typeof given !== 'string') return { given, whole: undefined, steps: given, names: given };
  const steps = stepsOf(given);
  if (steps.length > mostSteps) throw new StartError(`--map: a path has at most ${mostSteps} steps`);
  const names = steps.filter((step) => typeof step === 'string');
  const isPlain = names.length === steps.length;
  return {
    given,
    whole: steps.length > 1 ? given : undefined,
    steps,
    names: isPlain ? names : undefined,
  };
}

/** A path as reports of losses write it: `emails[].address`. */
export function shownSteps(steps: readonly PathStep[]): string {
  return steps
    .map((step) => (typeof step === 'string' ? `.${step}` : '[]'))
    .join('')
    .slice(1);
}

function stepsOf(text: string): PathStep[] {
  const steps: PathStep[] = [];
  let at = 0;
  while (at <= text.length) {
    const name = nameAt(text, at);
    steps.push(name.text);
    at = name.end;
    const filters: ItemFilter[] = [];
    for (let found = filterAt(text, at); found !== undefined; found = filterAt(text, at)) {
      if (found.filter !== undefined) filters.push(found.filter);
      at = found.end;
      if (steps.at(-1) !== filters) steps.push(filters);
    }
    // After the dot.
    at += 1;
  }
  return steps;
}

/** A name ends at a dot, or at a bracket that is a step into a list. */
function nameAt(text: string, from: number): { text: string; end: number } {
  let end = from;
  while (end < text.length && text[end] !== '.' && (text[end] !== '[' || filterAt(text, end) === undefined))
    end++;
  return { text: text.slice(from, end), end };
}

/** The step into a list that begins here. Without a filter, it is `[]`. */
function filterAt(text: string, at: number): { filter?: ItemFilter; end: number } | undefined {
  if (text[at] !== '[') return undefined;
  const close = text.indexOf(']', at);
  const after = text[close + 1];
  if (close < 0 || (after !== undefined && after !== '.' && after !== '[')) return undefined;
  const inner = text.slice(at + 1, close);
  const end = close + 1;
  if (inner === '') return { end };
  if (/^\d{1,4}$/.test(inner))
    return { filter: { index: Number(inner), path: [], isEqual: true, text: '' }, end };
  const [, name, sign, value = ''] = equation.exec(inner) ?? [];
  if (name === undefined) return undefined;
  const other = value.startsWith('$') ? { other: value.slice(1).split('.') } : {};
  return { filter: { path: name.split('.'), isEqual: sign === '=', text: value, ...other }, end };
}

/** The value at a path within a value. Undefined if there is none. */
export function valueWithin(value: unknown, path: readonly string[]): unknown {
  let found = value;
  for (const name of path)
    found = isJsonObject(found) && Object.hasOwn(found, name) ? found[name] : undefined;
  return found;
}
