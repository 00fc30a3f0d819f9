import { isJsonObject } from '#src/platform/json/json-object.js';

/**
 * Returns a copy of a JSON value without unassigned properties: null, empty strings, empty arrays, and objects without
 * any other property. They all mean that the attribute has no value (RFC 7643 section 2.5). Exporters write them for
 * absent values.
 */
export function withoutUnassigned(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutUnassigned);
  if (!isJsonObject(value)) return value;
  const result: Record<string, unknown> = {};
  for (const key of Object.keys(value)) {
    const item = withoutUnassigned(value[key]);
    // Assigning `__proto__` would set the prototype of the result.
    if (!isUnassigned(item) && key !== '__proto__') result[key] = item;
  }
  return result;
}

/** Whether a value stands for none. Its own properties are not unassigned. */
export function isUnassigned(value: unknown): boolean {
  if (value === null || value === '') return true;
  if (Array.isArray(value)) return value.length === 0;
  return isJsonObject(value) && Object.keys(value).length === 0;
}
