import { isJsonObject, type JsonObject } from '#src/platform/json/json-object.js';

/** The way to a value: the names of members from outside. */
type Path = readonly string[];

/** Values within lists are counted together. */
const anyItem = '[]';

/** How deep the members of a record are told apart. Below it, a whole object is one path. */
const deepest = 6;
const mostDepth = 50;
/** Most records lose nothing. */
const nothing: ReadonlySet<string> = new Set();

/** A record of another system. It knows which of its values were taken, so that nothing is lost without a word. */
export class SourceRecord {
  readonly #fields: JsonObject;
  readonly #taken: Set<string>;
  /** Most records have none. */
  #alsoLost: Set<string> | undefined;

  /** @param taken paths that are taken from the beginning: see {@link setOfPaths} */
  constructor(fields: JsonObject, taken?: ReadonlySet<string>) {
    this.#fields = fields;
    this.#taken = new Set(taken);
  }

  /** The names of the outer members. */
  names(): string[] {
    return Object.keys(this.#fields);
  }

  /** The value at a path. It counts as taken, with everything in it. */
  take(...path: Path): unknown {
    this.#taken.add(keyOf(path));
    return this.look(...path);
  }

  /** Takes an outer member. This is {@link take} with one step, which every attribute of a mapping needs. */
  takeOuter(name: string): unknown {
    this.#taken.add(name);
    return Object.hasOwn(this.#fields, name) ? this.#fields[name] : undefined;
  }

  /** The value at a path, without taking it. */
  look(...path: Path): unknown {
    let value: unknown = this.#fields;
    for (const name of path) {
      value = isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
    }
    return value;
  }

  /** Takes a text that is not blank, trimmed. A number is a text here. A value of another kind stays, so that it is lost. */
  text(...path: Path): string | undefined {
    const value = this.look(...path);
    if (typeof value !== 'string' && typeof value !== 'number') return undefined;
    const text = String(this.take(...path)).trim();
    return text === '' ? undefined : text;
  }

  /** Takes a flag, which may be written as a text. A value of another kind stays, so that it is lost. */
  flag(...path: Path): boolean | undefined {
    const flag = flagIn(this.look(...path));
    if (flag !== undefined) this.take(...path);
    return flag;
  }

  /** Takes a list. A value of another kind stays, so that it is lost, and the list is empty. */
  list(...path: Path): unknown[] {
    const value = this.look(...path);
    if (!Array.isArray(value)) return [];
    this.take(...path);
    return value;
  }

  /**
   * Takes plain parts of the items of a list. Their other parts are lost, and items that are no objects. So is a part that an item has as an
   * object or a list.
   */
  items(path: Path, parts: readonly string[]): JsonObject[] {
    const value = this.look(...path);
    const items = Array.isArray(value) ? value.filter(isJsonObject) : [];
    for (const part of parts) {
      const place = [...path, anyItem, part];
      this.#taken.add(keyOf(place));
      const isPlain = items.every((item) => typeof item[part] !== 'object' || item[part] === null);
      if (!isPlain) this.loseAlso(shownPath(place));
    }
    return items;
  }

  /** Adds paths that were taken, but whose values reach nothing. */
  loseAlso(...paths: readonly string[]): void {
    this.#alsoLost ??= new Set();
    for (const path of paths) this.#alsoLost.add(path);
  }

  /** The paths with a value that nothing took, such as `profile.badge` or `tags[]`. Each is named once. */
  lost(): ReadonlySet<string> {
    const lost = lostBesides(this.#fields, this.#taken);
    return this.#alsoLost === undefined ? lost : new Set([...this.#alsoLost, ...lost]);
  }
}

/** A flag, as a value or as the texts `true` and `false` of some servers. Undefined for every other value. */
export function flagIn(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value;
  const word = typeof value === 'string' ? value.trim().toLowerCase() : '';
  return word === 'true' ? true : word === 'false' ? false : undefined;
}

/** A set of paths, in the form that {@link lostBesides} and {@link SourceRecord} take. */
export function setOfPaths(paths: readonly Path[]): ReadonlySet<string> {
  return new Set(paths.map(keyOf));
}

/** The paths of a record with a value, besides those that are taken. Every record of a conversion passes here. */
export function lostBesides(fields: JsonObject, taken: ReadonlySet<string>): ReadonlySet<string> {
  let found: Set<string> | undefined;
  for (const name of Object.keys(fields)) {
    if (taken.has(name)) continue;
    found ??= new Set();
    collectLost(fields[name], { key: name, depth: 1 }, taken, found);
  }
  return found ?? nothing;
}

function collectLost(
  value: unknown,
  { key, depth }: { key: string; depth: number },
  taken: ReadonlySet<string>,
  found: Set<string>,
): void {
  if (taken.has(key) || isEmpty(value)) return;
  if (depth < deepest && Array.isArray(value)) {
    for (const inner of value)
      collectLost(inner, { key: `${key}\0${anyItem}`, depth: depth + 1 }, taken, found);
  } else if (depth < deepest && isJsonObject(value)) {
    for (const name of Object.keys(value)) {
      collectLost(value[name], { key: `${key}\0${name}`, depth: depth + 1 }, taken, found);
    }
  } else found.add(shownPath(key.split('\0')));
}

/** A path as reports write it. */
function shownPath(path: Path): string {
  return path.join('.').replaceAll(`.${anyItem}`, anyItem);
}

function keyOf(path: Path): string {
  // Most paths have one step.
  if (path.length === 1) return path[0] as string;
  return path.join('\0');
}

/** Whether a value says nothing. A value that is very deep says something: looking for it must not exhaust the stack. */
export function isEmpty(value: unknown, depth = 0): boolean {
  if (value === null || value === undefined || value === '') return true;
  const inner = Array.isArray(value) ? value : isJsonObject(value) ? Object.values(value) : undefined;
  return inner !== undefined && depth < mostDepth && inner.every((one) => isEmpty(one, depth + 1));
}
