import { isJsonObject, type JsonObject } from '#src/platform/json/json-object.js';
import type { Attribute } from '../schema/attribute.js';

/** The value, or the only element of a list. Some clients put a single value into a list. */
export function soleValue(value: unknown): unknown {
  return Array.isArray(value) && value.length <= 1 ? value[0] : value;
}

/** The simple value. Older Microsoft clients wrap it: `[{ "$ref": null, "value": "False" }]`. */
export function simpleValue(value: unknown): unknown {
  const sole = soleValue(value);
  const isWrapped =
    isJsonObject(sole) &&
    'value' in sole &&
    Object.keys(sole).every((name) => name === 'value' || name === '$ref');
  return isWrapped ? sole['value'] : sole;
}

/** Whether the value is null, an empty string or an empty list, which remove an attribute (RFC 7643 section 2.5). */
export function meansRemoval(value: unknown): boolean {
  const sole = soleValue(value);
  return sole === undefined || sole === null || sole === '';
}

/**
 * Whether the value is an object, or a list of objects, that names no sub-attribute of a complex attribute. Such a value
 * changes nothing. It is not the same as an unassigned value, which removes.
 */
export function namesNothing(attribute: Attribute, value: unknown): boolean {
  const items = Array.isArray(value) ? value : [value];
  const known = new Set(attribute.subAttributes?.map(({ name }) => name.toLowerCase()));
  const namesPart = (item: JsonObject) => Object.keys(item).some((name) => known.has(name.toLowerCase()));
  return items.length > 0 && items.every((item) => isJsonObject(item) && !namesPart(item));
}
