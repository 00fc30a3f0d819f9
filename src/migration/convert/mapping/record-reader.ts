import { isJsonObject } from '#src/platform/json/json-object.js';
import type { SourceRecord } from '../reading/source-record.js';
import { hasPassed } from '../values/dates.js';
import { type ItemFilter, type PathStep, type SourcePath, shownSteps, valueWithin } from './source-path.js';

/** A condition whose path was read. */
export interface ReadCondition {
  readonly path: SourcePath;
  readonly separator: string | undefined;
  readonly is: ConditionWords | undefined;
  readonly isNot: ConditionWords | undefined;
  /** Whether the moment that the value tells must be ahead, or must have passed. */
  readonly lasts: boolean | undefined;
}

/** Words of a condition, and paths whose values are words of it. */
export interface ConditionWords {
  readonly words: ReadonlySet<string>;
  /** Whether the letter case does not count. The words are in lower case then. */
  readonly foldsCase: boolean;
  readonly paths: readonly SourcePath[];
}

/** A value within lists, and its number among all values with this path. */
interface ListedValue {
  readonly value: unknown;
  readonly place: number;
}

/** How the texts at a path are read. */
interface Reading {
  readonly isList: boolean;
  readonly separator?: string | undefined;
  readonly isExact?: boolean;
}

/** Further values of one path within lists are lost. */
const mostListed = 1_000;
/** A longer text is not entered as JSON. */
const longestJson = 64 * 1024;
const words = { false: new Set(['false', 'no', '0']) };

/** Reads the values that a mapping names in one record, and counts which of them it uses. */
export class RecordReader {
  readonly #source: SourceRecord;
  /** The values within lists that nothing has used so far, by their paths. Most records have none. */
  #unused: Map<string, Set<number>> | undefined;
  /** The paths that decide which items count. */
  #compared: Set<string> | undefined;

  readonly #dropsApostrophe: boolean;

  /** @param options `dropsApostrophe`: an apostrophe at the beginning of a text is no part of it */
  constructor(
    source: SourceRecord,
    { dropsApostrophe = false }: { readonly dropsApostrophe?: boolean } = {},
  ) {
    this.#source = source;
    this.#dropsApostrophe = dropsApostrophe;
  }

  /** Whether the record has this path. */
  has(path: SourcePath): boolean {
    if (path.whole !== undefined && this.#source.look(path.whole) !== undefined) return true;
    const { steps } = path;
    const end = steps.findIndex((step) => typeof step !== 'string');
    const names = (end < 0 ? steps : steps.slice(0, end)) as readonly string[];
    this.#enter(names, end >= 0);
    return this.#source.look(...names) !== undefined;
  }

  /** The values at a path as the record has them, also those that a filter leaves out. */
  values(path: SourcePath): unknown[] {
    const names = this.#namesOf(path);
    if (names === undefined) {
      const all: ListedValue[] = [];
      this.#walk(this.#source.look(), { steps: path.steps, from: 0, matches: true }, { all, matched: [] });
      return all.map(({ value }) => value);
    }
    this.#enter(names, false);
    return [this.#source.look(...names)].flat();
  }

  /** The first text at a path. It is used. */
  text(path: SourcePath): string | undefined {
    const name = path.names?.length === 1 ? path.names[0] : undefined;
    if (name === undefined) return this.texts(path, { isList: false })[0];
    const value = this.#source.takeOuter(name);
    if (typeof value !== 'string')
      return value === undefined || value === null ? undefined : this.texts(path, { isList: false })[0];
    const text = this.#plain(value).trim();
    return text === '' || isNoDate(text) ? undefined : text;
  }

  /**
   * The first text at a path as it stands, with the spaces at its ends: a password or a salt has them. A blank one is none. It is used.
   * @param options `isMarked`: whether the export put an apostrophe before this text. The rule for apostrophes decides if absent
   */
  exactText(path: SourcePath, { isMarked = true }: { readonly isMarked?: boolean } = {}): string | undefined {
    const [text] = this.texts(path, { isList: false, isExact: true });
    return text === undefined || !isMarked ? text : this.#plain(text);
  }

  /** Whether the rule says that the apostrophe at the beginning of this text is no part of it. */
  isMarked(text: string | undefined): boolean {
    return text !== undefined && this.#plain(text) !== text;
  }

  #plain(text: string): string {
    return this.#dropsApostrophe && text.startsWith("'") ? text.slice(1) : text;
  }

  /**
   * The texts at a path: of the items of a list, or of the value itself. They are used.
   * @param reading `isList`: false for the first one alone. `isExact`: with the spaces at their ends and the apostrophe before them
   */
  texts(path: SourcePath, reading: Reading): string[] {
    const { isList, separator, isExact = false } = reading;
    const names = this.#namesOf(path);
    if (names === undefined) return this.#listed(path.steps, reading);
    if (names.length > 1) this.#enter(names, false);
    const value = this.#source.take(...names);
    if (value === undefined || value === null) return [];
    if (typeof value === 'string' && isList === false && !isExact) {
      const text = this.#plain(value).trim();
      return text === '' || isNoDate(text) ? [] : [text];
    }
    if (typeof value === 'string')
      return isExact ? exactTextsOf(value) : textsOf(this.#plain(value), separator);
    const items: unknown[] = Array.isArray(value) ? value : [value];
    const present = items.flatMap((item) => (isExact ? exactTextsOf(item) : textsOf(item, separator)));
    const hasOther = items.some((item) => typeof item === 'object' && item !== null);
    // An object has no text, and a target with one value takes the first.
    if (hasOther || (!isList && present.length > 1)) this.#source.loseAlso(names.join('.'));
    return isList ? present : present.slice(0, 1);
  }

  /** Whether a condition holds. What it reads is used. */
  holds({ path, separator, is, isNot, lasts }: ReadCondition): boolean {
    const found = this.texts(path, { isList: true, separator });
    if (is !== undefined && !this.#hasWord(found, is)) return false;
    if (isNot !== undefined && this.#hasWord(found, isNot)) return false;
    if (lasts === true) return found.some((text) => !hasPassed(text));
    if (lasts === false) return found.length > 0 && found.every(hasPassed);
    if (is !== undefined || isNot !== undefined) return true;
    return found.some((text) => !words.false.has(text.toLowerCase()));
  }

  #hasWord(found: readonly string[], { words, foldsCase, paths }: ConditionWords): boolean {
    if (found.length === 0) return words.has('');
    if (found.some((text) => words.has(foldsCase ? text.toLowerCase() : text))) return true;
    return paths.some((path) => {
      const other = this.text(path);
      return other !== undefined && found.includes(other);
    });
  }

  /** The value of this path reaches nothing, although it was read. */
  lose(path: SourcePath): void {
    this.#source.loseAlso(this.#namesOf(path)?.join('.') ?? shownSteps(path.steps));
  }

  /** Call it after everything is read: what lists have beside the used values is lost. */
  settle(): void {
    for (const [path, places] of this.#unused ?? []) {
      if (places.size > 0 && this.#compared?.has(path) !== true) this.#source.loseAlso(path);
    }
  }

  /** The names of a path without lists. */
  #namesOf({ whole, names }: SourcePath): readonly string[] | undefined {
    return whole !== undefined && this.#source.look(whole) !== undefined ? [whole] : names;
  }

  #listed(steps: readonly PathStep[], { isList, separator, isExact = false }: Reading): string[] {
    const all: ListedValue[] = [];
    const matched: ListedValue[] = [];
    this.#walk(this.#source.look(), { steps, from: 0, matches: true }, { all, matched });
    const key = shownSteps(steps);
    this.#unused ??= new Map();
    let unused = this.#unused.get(key);
    if (unused === undefined) {
      unused = new Set(all.filter(({ value }) => textsOf(value).length > 0).map(({ place }) => place));
      if (all.length >= mostListed) unused.add(mostListed);
      this.#unused.set(key, unused);
      this.#source.take(...steps.map((step) => (typeof step === 'string' ? step : '[]')));
    }
    const texts: string[] = [];
    for (const { value, place } of matched) {
      const found = isExact ? exactTextsOf(value) : textsOf(value, separator);
      if (found.length === 0) {
        if (typeof value === 'object' && value !== null) this.#source.loseAlso(key);
        continue;
      }
      unused.delete(place);
      texts.push(...found);
      if (!isList) return texts.slice(0, 1);
    }
    return texts;
  }

  #walk(
    value: unknown,
    { steps, from, matches }: { steps: readonly PathStep[]; from: number; matches: boolean },
    found: { all: ListedValue[]; matched: ListedValue[] },
  ): void {
    const { all, matched } = found;
    if (all.length >= mostListed) return;
    const step = steps[from];
    if (step === undefined) {
      const one = { value, place: all.length };
      all.push(one);
      if (matches) matched.push(one);
    } else if (typeof step === 'string') {
      if (!isJsonObject(value) || !Object.hasOwn(value, step)) return;
      if (from + 1 < steps.length) openJson(value, step);
      this.#walk(value[step], { steps, from: from + 1, matches }, found);
    } else if (Array.isArray(value)) {
      this.#takeCompared(steps, from);
      for (const [index, item] of value.slice(0, mostListed).entries()) {
        const isWanted = matches && step.every((filter) => this.#passes(filter, item, index));
        this.#walk(item, { steps, from: from + 1, matches: isWanted }, found);
      }
    }
  }

  #passes({ index, path, isEqual, text, other }: ItemFilter, item: unknown, place: number): boolean {
    if (index !== undefined) return index === place;
    const wanted = other === undefined ? text : plainText(this.#source.take(...other));
    return (plainText(valueWithin(item, path)) === wanted) === isEqual;
  }

  /** What the filters of a list compare is used. */
  #takeCompared(steps: readonly PathStep[], at: number): void {
    const list = steps.slice(0, at).map((step) => (typeof step === 'string' ? step : '[]'));
    for (const { index, path } of steps[at] as readonly ItemFilter[]) {
      if (index !== undefined) continue;
      this.#source.take(...list, '[]', ...path);
      this.#compared ??= new Set();
      this.#compared.add([...list, '[]', ...path].join('.').replaceAll('.[]', '[]'));
    }
  }

  /** Enters texts that are JSON on the way to a value. @param isList whether the value itself is entered too */
  #enter(names: readonly string[], isList: boolean): void {
    const steps = isList ? names.length : names.length - 1;
    let value = steps > 0 ? this.#source.look() : undefined;
    for (let at = 0; at < steps; at++) {
      const name = names[at] ?? '';
      if (!isJsonObject(value) || !Object.hasOwn(value, name)) return;
      openJson(value, name);
      value = value[name];
    }
  }
}

/** Replaces a text by the object or list that it is the JSON of. A table has the objects of a database like this. */
function openJson(parent: Record<string, unknown>, name: string): void {
  const text = parent[name];
  if (typeof text !== 'string' || text.length > longestJson || !/^\s*[[{]/.test(text)) return;
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null) parent[name] = value;
  } catch {
    // The text stays what it is.
  }
}

/** The texts of a value that is neither an object nor a list. Blank ones are none, and neither are the zero dates of MySQL. */
function textsOf(value: unknown, separator?: string): string[] {
  if (value === null || value === undefined || typeof value === 'object') return [];
  const text = String(value);
  const found: string[] = [];
  for (const part of separator === undefined ? [text] : text.split(separator)) {
    const trimmed = part.trim();
    if (trimmed !== '' && !isNoDate(trimmed)) found.push(trimmed);
  }
  return found;
}

/** The text of a value, with the spaces at its ends. */
function exactTextsOf(value: unknown): string[] {
  if (value === null || value === undefined || typeof value === 'object') return [];
  const text = String(value);
  return text.trim() === '' ? [] : [text];
}

function isNoDate(text: string): boolean {
  return text.startsWith('0000-00-00');
}

function plainText(value: unknown): string {
  return value === null || value === undefined || typeof value === 'object' ? '' : String(value).trim();
}
