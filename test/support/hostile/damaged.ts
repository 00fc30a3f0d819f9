import fc, { type Arbitrary } from 'fast-check';

/** Valid values and texts, damaged in random ways. A failure shrinks to the relevant damage. */

/** Replacements for a JSON value. */
export const strangeValues: readonly unknown[] = [
  null,
  true,
  false,
  0,
  -1,
  1.5,
  1e308,
  2 ** 53,
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\ud800',
  '\u{10FFFF}',
  '😀'.repeat(300),
  '𐐷'.repeat(499),
  'x'.repeat(10_000),
  'bulkId:a',
  'bulkId:',
  '$where',
  '__proto__',
  'constructor',
  '{"$gt":""}',
  '../../etc',
  '%00',
  'urn:ietf:params:scim:schemas:core:2.0:User',
  'emails[type eq "work"]',
  'ß İ ς ﬀ',
  [],
  [null],
  [[]],
  [{}],
  {},
  { $ne: null },
  { value: {} },
  { value: 'a@example.com', type: '𐐷'.repeat(499) },
  { 'a.b': 1, $c: 2 },
];

/** Odd texts that can be stored and searched. */
export const storableTexts = [
  '$where',
  '__proto__',
  '{"$gt":""}',
  'a.b.$c',
  '😀'.repeat(50),
  '𐐷'.repeat(100),
  'ﬀ İ ß ς',
  '\u{10FFFF}',
  'ends in \\',
  '"quoted"',
  '.*+?^$ {}()|[]',
  '\u0001\u007f\u0085\u2028',
  ' padded ',
  'e\u0301',
];

const strangeNames = [
  '',
  '__proto__',
  'constructor',
  'toString',
  'schemas',
  'ID',
  'Emails',
  '$set',
  'a.b',
  'x'.repeat(500),
  '\u0000',
];

/** Texts that are inserted into the middle of a text. */
export const pieces = [
  ...['"', '\\', '[', ']', '(', ')', '.', ' ', '%', '\u0000', '\u{10FFFF}', ' eq ', ' pr', ' and ', 'not '],
  ...['-1', 'null', '$', '{', '*', '\n', ':', '/', '&', '=', '#', '+', 'é'],
];

type TextChange = (text: string, at: number) => string;

const textChanges: Arbitrary<TextChange> = fc.oneof(
  fc.constantFrom(...pieces).map(
    (piece): TextChange =>
      (text, at) =>
        text.slice(0, at) + piece + text.slice(at),
  ),
  fc.nat(5).map(
    (length): TextChange =>
      (text, at) =>
        text.slice(0, at) + text.slice(at + length),
  ),
  fc.nat(0xffff).map(
    (unit): TextChange =>
      (text, at) =>
        text.slice(0, at) + String.fromCharCode(unit) + text.slice(at + 1),
  ),
  fc.constantFrom<TextChange>(
    (text, at) => text.slice(0, at),
    (text, at) => text.slice(0, at) + text.slice(at, at + 20).repeat(2) + text.slice(at),
    (text) => text.toUpperCase(),
  ),
);

const textDamages = fc.array(fc.tuple(textChanges, fc.nat(0xffff)), { minLength: 1, maxLength: 2 });

type TextDamages = readonly (readonly [TextChange, number])[];

const damageText = (text: string, damages: TextDamages) =>
  damages.reduce((damaged, [change, at]) => change(damaged, at % (damaged.length + 1)), text);

/** The text, damaged at one or two places. */
export function damagedText(text: string): Arbitrary<string> {
  return textDamages.map((damages) => damageText(text, damages));
}

type Change = (old: unknown) => unknown;

const changes: Arbitrary<Change> = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.constantFrom(...strangeValues).map(
      (value): Change =>
        () =>
          value,
    ),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom(...storableTexts).map(
      (text): Change =>
        (old) =>
          typeof old === 'string' ? text : old,
    ),
  },
  {
    weight: 2,
    arbitrary: textDamages.map(
      (damages): Change =>
        (old) =>
          typeof old === 'string' ? damageText(old, damages) : damages.length,
    ),
  },
  fc.constantFrom(...storableTexts).map(
    (text): Change =>
      (old) =>
        typeof old === 'string' ? old + text : old,
  ),
  fc.constantFrom(...strangeNames).map(
    (name): Change =>
      (old) => ({ [name]: old }),
  ),
  fc.constantFrom<Change>(
    (old) => [old],
    (old) => (Array.isArray(old) ? Array.from({ length: 60 }, () => old).flat() : { old }),
    () => undefined,
  ),
);

interface Damage {
  /** The index of the damaged place. It wraps around the number of places. */
  readonly at: number;
  readonly change: Change;
  /** The member that gets the changed value. If undefined, the value replaces the original. */
  readonly name: string | undefined;
}

const damages: Arbitrary<Damage[]> = fc.array(
  fc.record({
    at: fc.nat(0xffff),
    change: changes,
    name: fc.option(fc.constantFrom(...strangeNames), { nil: undefined, freq: 6 }),
  }),
  { minLength: 1, maxLength: 3 },
);

/** The value, damaged at one to three of its places. */
function damagedValue(value: unknown): Arbitrary<unknown> {
  return damages.map((all) => all.reduce(damage, value));
}

/** A request body with a damaged value. Sometimes the text itself is damaged, so that it is not JSON. */
export function damagedBody(value: unknown): Arbitrary<string> {
  return fc.oneof(
    { weight: 7, arbitrary: damagedValue(value).map((damaged) => JSON.stringify(damaged)) },
    { weight: 1, arbitrary: damagedText(JSON.stringify(value)) },
  );
}

type Parent = Record<string, unknown>;

function damage(value: unknown, { at, change, name }: Damage): unknown {
  const copy: unknown = structuredClone(value);
  const places = placesOf(copy);
  const place = places[at % places.length];
  if (place === undefined) return copy;
  const { parent, key } = place;
  const target = name === undefined || Array.isArray(parent) ? key : name;
  // Assignment would set a prototype here.
  const property = { value: change(parent[key]), enumerable: true, configurable: true, writable: true };
  Object.defineProperty(parent, target, property);
  return copy;
}

/** Every member of every object and list in a value. */
function placesOf(value: unknown): { parent: Parent; key: string }[] {
  if (!isParent(value)) return [];
  return Object.keys(value).flatMap((key) => [{ parent: value, key }, ...placesOf(value[key])]);
}

function isParent(value: unknown): value is Parent {
  return typeof value === 'object' && value !== null;
}
