const maxDepth = 32;

/** A fault that `JSON.parse` does not report. */
export type JsonFault = 'RECORD-DUPLICATE-KEY' | 'RECORD-TOO-DEEP';

/**
 * Finds out whether an object has a key twice, or values are nested more than 32 levels deep. An object without
 * duplicate keys has as many members as its text has colons outside of strings.
 * @param text valid JSON
 * @param value what `JSON.parse` made of the text
 */
export function findJsonFault(text: Uint8Array, value: unknown): JsonFault | undefined {
  let depth = 0;
  let deepest = 0;
  let colons = 0;
  for (let at = 0; at < text.length; at++) {
    const byte = text[at] as number;
    if (byte === 0x22) {
      at = endOfString(text, at + 1);
    } else if (byte === 0x3a) {
      colons += 1;
    } else if ((byte | 0x20) === 0x7b) {
      depth += 1;
      if (depth > deepest) deepest = depth;
    } else if ((byte | 0x20) === 0x7d) {
      depth -= 1;
    }
  }
  if (deepest > maxDepth) return 'RECORD-TOO-DEEP';
  return countMembers(value) === colons ? undefined : 'RECORD-DUPLICATE-KEY';
}

/** The place of the closing quote. */
function endOfString(text: Uint8Array, from: number): number {
  let at = from;
  while (at < text.length && text[at] !== 0x22) at += text[at] === 0x5c ? 2 : 1;
  return at;
}

/** The members of all objects in a value. */
function countMembers(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  let count = 0;
  if (Array.isArray(value)) {
    for (const item of value) count += countMembers(item);
    return count;
  }
  for (const item of Object.values(value)) count += 1 + countMembers(item);
  return count;
}
