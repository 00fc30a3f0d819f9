import type { JsonMeasures } from '#src/platform/json/measure-json.js';

const maxDepth = 32;

/** A fault that `JSON.parse` does not report. */
type JsonFault = 'RECORD-DUPLICATE-KEY' | 'RECORD-TOO-DEEP';

/**
 * Finds out whether an object has a key twice, or values are nested more than 32 levels deep. An object without duplicate keys has as
 * many members as its text.
 * @param measures of valid JSON
 * @param value what `JSON.parse` made of the text
 */
export function findJsonFault(
  { depth, members }: Pick<JsonMeasures, 'depth' | 'members'>,
  value: unknown,
): JsonFault | undefined {
  if (depth > maxDepth) return 'RECORD-TOO-DEEP';
  return countMembers(value) === members ? undefined : 'RECORD-DUPLICATE-KEY';
}

/** The members of all objects in a value. */
function countMembers(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  let count = 0;
  if (Array.isArray(value)) {
    for (const item of value) count += countMembers(item);
    return count;
  }
  // Objects of `JSON.parse` inherit nothing that is enumerable. This is faster than to list their values.
  for (const key in value) count += 1 + countMembers((value as Record<string, unknown>)[key]);
  return count;
}
