import { isJsonObject } from '#src/platform/json/json-object.js';

/** A value inside of another one, and the names and places that lead to it. */
export interface Leaf {
  readonly path: readonly (string | number)[];
  readonly value: unknown;
}

/** Everything in a value that is no object and no list. Empty objects and empty lists are leaves too, and so are dates. */
export function leavesOf(value: unknown, path: Leaf['path'] = []): Leaf[] {
  const inside = Array.isArray(value)
    ? [...value.entries()]
    : isJsonObject(value) && Object.getPrototypeOf(value) === Object.prototype
      ? Object.entries(value)
      : [];
  return inside.length === 0
    ? [{ path, value }]
    : inside.flatMap(([name, one]) => leavesOf(one, [...path, name]));
}

/** The path as text, such as `emails[].value`. All elements of a list have one name. */
export function nameOf(path: Leaf['path']): string {
  return path
    .map((name) => (typeof name === 'number' ? '[]' : `.${name}`))
    .join('')
    .replace(/^\./, '');
}
