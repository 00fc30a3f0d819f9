import { foldCase } from '#src/directory/index.js';
import { isJsonObject } from '#src/platform/json/json-object.js';
import { type ComplexValue, readSingle, readValue, requireFewValues } from '../resources/read-value.js';
import { type Attribute, subAttributeOf } from '../schema/attribute.js';
import type { PatchWork } from './patch-work.js';

/** Parts that do not identify a value. Values that differ only in them are the same value. */
const remarks: ReadonlySet<string> = new Set(['primary', 'display']);

/** The steps to read one value. */
const stepsToRead = 20;

/** Reads a list of values. A single value counts as a list of one. */
export function readList(attribute: Attribute, value: unknown, work: PatchWork): ComplexValue[] {
  if (value === '') return [];
  if (Array.isArray(value)) work.spend(stepsToRead * value.length);
  return (readValue(attribute, isJsonObject(value) ? [value] : value) ?? []) as ComplexValue[];
}

/** Appends new values (RFC 7644 section 3.5.2.1). Of values that exist only the remarks change. */
export function addValues(
  values: ComplexValue[],
  { attribute, added }: { attribute: Attribute; added: readonly ComplexValue[] },
  work: PatchWork,
): ComplexValue[] {
  const all = [...values];
  const keys = new ValueKeys(attribute, work);
  /** The first value of each key, for each set of names that a given value consists of. */
  const byNames = new Map<string, { names: readonly string[]; values: Map<string, ComplexValue> }>();
  const include = (value: ComplexValue) => {
    for (const { names, values } of byNames.values()) {
      const key = keys.of(value, names);
      if (!values.has(key)) values.set(key, value);
    }
  };
  for (const value of added) {
    const names = identifyingNames(value);
    let known = byNames.get(names.join());
    // Remarks of values may have changed since the keys were made.
    if (known === undefined || names.some((name) => remarks.has(name))) {
      known = { names, values: new Map() };
      byNames.set(names.join(), known);
      for (const one of [...all].reverse()) known.values.set(keys.of(one, names), one);
    }
    const existing = known.values.get(keys.of(value, names));
    if (existing === undefined) {
      all.push(value);
      include(value);
    } else Object.assign(existing, remarksOf(value));
  }
  return all;
}

function remarksOf(value: ComplexValue): ComplexValue {
  return Object.fromEntries(Object.entries(value).filter(([name]) => remarks.has(name)));
}

/**
 * Removes the listed values, or all values without a list. Some clients send the values to remove in `value`. A value is
 * listed if it has all parts of a given one.
 */
export function withoutListed(
  values: ComplexValue[],
  { attribute, listed }: { attribute: Attribute; listed: unknown },
  work: PatchWork,
): ComplexValue[] {
  if (listed === undefined || listed === null || listed === '') return [];
  const items = Array.isArray(listed) ? listed : [listed];
  requireFewValues(attribute, items.length);
  work.spend(stepsToRead * items.length);
  const keys = new ValueKeys(attribute, work);
  const byNames = new Map<string, { names: readonly string[]; keys: Set<string> }>();
  for (const item of items) {
    const given = readSingle(attribute, item, attribute.name) as ComplexValue | undefined;
    if (given === undefined) continue;
    const names = identifyingNames(given);
    const known = byNames.get(names.join()) ?? { names, keys: new Set() };
    known.keys.add(keys.of(given, names));
    byNames.set(names.join(), known);
  }
  const groups = [...byNames.values()];
  return values.filter(
    (value) => !groups.some(({ names, keys: wanted }) => wanted.has(keys.of(value, names))),
  );
}

/** The names of the parts that identify a value. Remarks count only if the value has nothing else. */
function identifyingNames(value: ComplexValue): readonly string[] {
  const names = Object.keys(value).sort();
  const identifying = names.filter((name) => !remarks.has(name));
  return identifying.length > 0 ? identifying : names;
}

/** Equal for values whose parts of these names are equal. */
class ValueKeys {
  readonly #attribute: Attribute;
  readonly #work: PatchWork;

  constructor(attribute: Attribute, work: PatchWork) {
    this.#attribute = attribute;
    this.#work = work;
  }

  of(value: ComplexValue, names: readonly string[]): string {
    this.#work.spend(names.length);
    return names.map((name) => this.#work.numberOf(this.#compared(name, value[name]))).join();
  }

  #compared(name: string, part: unknown): unknown {
    const sub = subAttributeOf(this.#attribute, name);
    if (typeof part !== 'string' || sub?.caseExact !== false) return part;
    return this.#work.fold(sub.search?.foldWhole ?? sub.search?.fold ?? foldCase, part);
  }
}
