import { foldCase } from '#src/directory/users/search-keys.js';
import { isJsonObject } from '#src/platform/json/json-object.js';
import { type ComplexValue, readSingle, readValue } from '../resources/read-value.js';
import { type Attribute, subAttributeOf } from '../schema/attribute.js';

/** Parts that do not identify a value. Values that differ only in them are the same value. */
const remarks: ReadonlySet<string> = new Set(['primary', 'display']);

/** Reads a list of values. A single value counts as a list of one. */
export function readList(attribute: Attribute, value: unknown): ComplexValue[] {
  if (value === '') return [];
  return (readValue(attribute, isJsonObject(value) ? [value] : value) ?? []) as ComplexValue[];
}

/** Appends new values (RFC 7644 section 3.5.2.1). Of values that exist only the remarks change. */
export function addValues(
  values: ComplexValue[],
  attribute: Attribute,
  added: ComplexValue[],
): ComplexValue[] {
  const all = [...values];
  for (const value of added) {
    const existing = all.find(sameValueAs(attribute, value));
    if (existing === undefined) all.push(value);
    else Object.assign(existing, remarksOf(value));
  }
  return all;
}

function remarksOf(value: ComplexValue): ComplexValue {
  return Object.fromEntries(Object.entries(value).filter(([name]) => remarks.has(name)));
}

/** Removes the listed values, or all values without a list. Some clients send the values to remove in `value`. */
export function withoutListed(values: ComplexValue[], attribute: Attribute, listed: unknown): ComplexValue[] {
  if (listed === undefined || listed === null || listed === '') return [];
  const named = (Array.isArray(listed) ? listed : [listed])
    .map((item) => readSingle(attribute, item, attribute.name))
    .filter((item) => item !== undefined)
    .map((item) => sameValueAs(attribute, item as ComplexValue));
  return values.filter((value) => !named.some((isNamed) => isNamed(value)));
}

/** Tests whether a value has all parts of the given one. Remarks count only if the given value has nothing else. */
function sameValueAs(attribute: Attribute, given: ComplexValue): (value: ComplexValue) => boolean {
  const names = Object.keys(given);
  const identifying = names.filter((name) => !remarks.has(name));
  const parts = (identifying.length > 0 ? identifying : names).map((name) => {
    const compared = comparedForm(subAttributeOf(attribute, name));
    return { name, compared, wanted: compared(given[name]) };
  });
  return (value) => parts.every(({ name, compared, wanted }) => compared(value[name]) === wanted);
}

function comparedForm(sub: Attribute | undefined): (part: unknown) => unknown {
  const fold = sub?.search?.fold ?? foldCase;
  return (part) => (typeof part === 'string' && sub?.caseExact === false ? fold(part) : part);
}
