/** Texts that begin with the prefix, as one range of an index. It is for fields with one text, not for lists. */
export function prefixRange(prefix: string): { $gte: string; $lt?: string } {
  const end = upperBound(prefix);
  return { $gte: prefix, ...(end !== undefined && { $lt: end }) };
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
