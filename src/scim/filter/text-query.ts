import { type EndingField, endingKey } from '#src/directory/users/search-keys.js';

/** A MongoDB condition as plain data. */
export type FilterQuery = Record<string, unknown>;

/** Values that begin with the prefix, as one range of an index. `many`: the field holds a list. */
export function startsWith(field: string, prefix: string, many: boolean): FilterQuery {
  // In a list, one value could meet the lower bound of a range and another value the upper bound. An anchored pattern must
  // match within one value. MongoDB also turns it into a range of the index.
  if (many) return { [field]: { $regex: `^${escapePattern(prefix)}` } };
  const end = upperBound(prefix);
  return { [field]: { $gte: prefix, ...(end !== undefined && { $lt: end }) } };
}

// The end of the text. `$` would also match before a line feed at the end.
export const end = '(?![\\s\\S])';

/** Values that end with the suffix. No index serves it. */
export function endsWith(field: string, suffix: string): FilterQuery {
  return { [field]: { $regex: `${escapePattern(suffix)}${end}` } };
}

/** Values of an attribute that end with the suffix, as one range of an index. */
export function endsWithKey(attribute: EndingField, suffix: string): FilterQuery {
  return startsWith('search.attributes', endingKey(attribute, suffix), true);
}

/** Values that contain the text. */
export function contains(field: string, text: string): FilterQuery {
  return { [field]: { $regex: escapePattern(text) } };
}

/**
 * The first text after all texts that begin with the prefix, in the order of code points, which is also the order of UTF-8
 * bytes. Undefined if there is none.
 */
export function upperBound(prefix: string): string | undefined {
  const points = Array.from(prefix, (character) => character.codePointAt(0) ?? 0);
  while (points.at(-1) === 0x10ffff) points.pop();
  const last = points.pop();
  if (last === undefined) return undefined;
  const afterLast = last === 0xd7ff ? 0xe000 : last + 1;
  return String.fromCodePoint(...points, afterLast);
}

/** A regular expression that matches the text literally. */
export function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}
