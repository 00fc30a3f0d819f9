import { isJsonObject } from '#src/platform/json/json-object.js';

/**
 * A copy without the properties that are null, empty strings, empty lists or objects of nothing else: all of them mean
 * unassigned (RFC 7643 section 2.5), and exporters write them for what is absent.
 */
export function withoutUnassigned(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutUnassigned);
  if (!isJsonObject(value)) return value;
  const result: Record<string, unknown> = {};
  for (const key of Object.keys(value)) {
    const item = withoutUnassigned(value[key]);
    // As a property of that name it would be the prototype.
    if (!isUnassigned(item) && key !== '__proto__') result[key] = item;
  }
  return result;
}

function isUnassigned(value: unknown): boolean {
  if (value === null || value === '') return true;
  if (Array.isArray(value)) return value.length === 0;
  return isJsonObject(value) && Object.keys(value).length === 0;
}
