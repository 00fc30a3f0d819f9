import { isJsonObject } from './json-object.js';

/** Keys that were converted before: the records of a body repeat the same few keys. Bounded, because clients choose keys. */
const converted = new Map<string, string>();
const maxConverted = 1_000;
const maxConvertedLength = 64;

/** Returns a key in lowerCamelCase. Keys come in snake_case or in lowerCamelCase. */
export function toCamelCase(key: string): string {
  if (!key.includes('_')) return key;
  const known = converted.get(key);
  if (known !== undefined) return known;
  const camel = key.replace(/(?<=[a-z0-9])_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
  if (key.length <= maxConvertedLength && converted.size < maxConverted) converted.set(key, camel);
  return camel;
}

/**
 * Returns a copy of a JSON value with all keys in lowerCamelCase. Returns undefined when an object has one key in both
 * spellings.
 */
export function withCamelCaseKeys(value: unknown): unknown {
  let isAmbiguous = false;
  const copy = (item: unknown): unknown => {
    if (Array.isArray(item)) return item.map(copy);
    if (!isJsonObject(item)) return item;
    const entries = Object.entries(item).map(([key, inner]) => [toCamelCase(key), copy(inner)] as const);
    const result = Object.fromEntries(entries);
    if (Object.keys(result).length < entries.length) isAmbiguous = true;
    return result;
  };
  const copied = copy(value);
  return isAmbiguous ? undefined : copied;
}
