import { isObject } from '../../migration/import/sections/without-unassigned.js';

const known = new Map<string, string>();
const maxKnown = 1_000;

/** A key in lowerCamelCase, whichever of the two spellings it is given in. */
export function toCamelCase(key: string): string {
  if (!key.includes('_')) return key;
  const found = known.get(key);
  if (found !== undefined) return found;
  const camel = key.replace(/(?<=[a-z0-9])_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
  if (known.size < maxKnown) known.set(key, camel);
  return camel;
}

/** A copy with all keys in lowerCamelCase; undefined when one is given in both spellings. */
export function withCamelCaseKeys(value: unknown): unknown {
  let isAmbiguous = false;
  const copy = (item: unknown): unknown => {
    if (Array.isArray(item)) return item.map(copy);
    if (!isObject(item)) return item;
    const entries = Object.entries(item).map(([key, inner]) => [toCamelCase(key), copy(inner)] as const);
    const result = Object.fromEntries(entries);
    if (Object.keys(result).length < entries.length) isAmbiguous = true;
    return result;
  };
  const copied = copy(value);
  return isAmbiguous ? undefined : copied;
}
