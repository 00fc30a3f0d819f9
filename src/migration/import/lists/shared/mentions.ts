import { isJsonObject } from '#src/platform/json/json-object.js';

/**
 * Whether a record mentions an attribute of its object, also as null, '' or an empty list. An import that updates leaves the others as
 * they are.
 */
export function mentions(record: unknown, object: string, attribute: string): boolean {
  const value = isJsonObject(record) && Object.hasOwn(record, object) ? record[object] : undefined;
  return isJsonObject(value) && Object.hasOwn(value, attribute);
}
