import { type EndingField, endingKey } from '#src/directory/index.js';
import { prefixRange } from '#src/platform/mongo/prefix-range.js';

/** A MongoDB condition as plain data. */
export type FilterQuery = Record<string, unknown>;

/** Values that begin with the prefix, as one range of an index. `many`: the field holds a list. */
export function startsWith(field: string, prefix: string, many: boolean): FilterQuery {
  // In a list, one value could meet the lower bound of a range and another value the upper bound. An anchored pattern must
  // match within one value. MongoDB also turns it into a range of the index.
  if (many) return { [field]: { $regex: `^${escapePattern(prefix)}` } };
  return { [field]: prefixRange(prefix) };
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

/** A regular expression that matches the text literally. */
export function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}
