import { isJsonObject } from '#src/platform/json/json-object.js';

/** The value, or the only element of a list. Some clients put a single value into a list. */
export function soleValue(value: unknown): unknown {
  return Array.isArray(value) && value.length <= 1 ? value[0] : value;
}

/** The simple value. Older Microsoft clients wrap it: `[{ "$ref": null, "value": "False" }]`. */
export function simpleValue(value: unknown): unknown {
  const sole = soleValue(value);
  const isWrapped =
    isJsonObject(sole) && Object.keys(sole).every((name) => name === 'value' || name === '$ref');
  return isWrapped ? sole['value'] : sole;
}

/** Whether the value is null, an empty string or an empty list, which remove an attribute (RFC 7643 section 2.5). */
export function isUnassigned(value: unknown): boolean {
  const sole = soleValue(value);
  return sole === undefined || sole === null || sole === '';
}
