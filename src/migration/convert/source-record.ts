import { isJsonObject, type JsonObject } from '#src/platform/json/json-object.js';

/** The way to a value: the names of members from outside. */
type Path = readonly string[];

/** Values within lists are counted together. */
const anyItem = '[]';

/** How deep the members of a record are told apart. Below it, a whole object is one path. */
const deepest = 6;

/** A record of another system. It knows which of its values were taken, so that nothing is lost without a word. */
export class SourceRecord {
  readonly #fields: JsonObject;
  readonly #taken = new Set<string>();
  readonly #alsoLost = new Set<string>();

  constructor(fields: JsonObject) {
    this.#fields = fields;
  }

  /** The value at a path. It counts as taken, with everything in it. */
  take(...path: Path): unknown {
    this.#taken.add(path.join('\0'));
    return this.look(...path);
  }

  /** The value at a path, without taking it. */
  look(...path: Path): unknown {
    let value: unknown = this.#fields;
    for (const name of path) value = isJsonObject(value) ? value[name] : undefined;
    return value;
  }

  /** Takes a text that is not blank, trimmed. A number is a text here. */
  text(...path: Path): string | undefined {
    const value = this.take(...path);
    const text = typeof value === 'number' ? String(value) : typeof value === 'string' ? value.trim() : '';
    return text === '' ? undefined : text;
  }

  /** Takes a flag. */
  flag(...path: Path): boolean | undefined {
    const value = this.take(...path);
    return typeof value === 'boolean' ? value : undefined;
  }

  /** Takes a list. Anything else is an empty one. */
  list(...path: Path): unknown[] {
    const value = this.take(...path);
    return Array.isArray(value) ? value : [];
  }

  /** Adds paths whose values a reader found to reach nothing. */
  loseAlso(paths: Iterable<string>): void {
    for (const path of paths) this.#alsoLost.add(path);
  }

  /** The paths with a value that nothing took, such as `profile.badge` or `tags[]`. Each is named once. */
  lost(): Set<string> {
    const found = new Set<string>(this.#alsoLost);
    this.#collect(this.#fields, [], found);
    return found;
  }

  #collect(value: unknown, path: Path, found: Set<string>): void {
    if (isEmpty(value) || this.#taken.has(path.join('\0'))) return;
    if (isJsonObject(value) && path.length < deepest) {
      for (const [name, inner] of Object.entries(value)) this.#collect(inner, [...path, name], found);
    } else if (Array.isArray(value) && path.length < deepest) {
      for (const inner of value) this.#collect(inner, [...path, anyItem], found);
    } else found.add(path.join('.').replaceAll(`.${anyItem}`, anyItem));
  }
}

/** The paths of a record with a value, besides those that are taken. */
export function lostBesides(fields: JsonObject, taken: readonly Path[]): Set<string> {
  const record = new SourceRecord(fields);
  for (const path of taken) record.take(...path);
  return record.lost();
}

/** Whether a value says nothing. */
function isEmpty(value: unknown): boolean {
  if (value === null || value === undefined || value === '') return true;
  if (Array.isArray(value)) return value.every(isEmpty);
  return isJsonObject(value) && Object.values(value).every(isEmpty);
}
