import fc, { type Arbitrary } from 'fast-check';
import type { Schema } from './api-operations.js';

/** Texts that break careless code: control characters, unpaired surrogates, operators of stores, markup. */
const oddTexts = [
  '',
  ' ',
  '\u0000',
  '\ud800',
  '\u{10FFFF}',
  '\u202Eabc',
  'ß İ ς ﬀ',
  '😀'.repeat(300),
  'x'.repeat(5_000),
  '$where',
  '{"$gt":""}',
  'a.b.$c',
  '__proto__',
  'constructor',
  '../../etc/passwd',
  '%00%0d%0a',
  '<script>alert(1)</script>',
  "'; DROP TABLE users; --",
  '2026-13-45T99:99:99Z',
  '1e999',
  'null',
];

const oddKeys = [
  '__proto__',
  'constructor',
  'toString',
  '$set',
  'a.b',
  '',
  'x'.repeat(500),
  '\u0000',
  'org_id',
];

// To make these takes longer than to use them.
const plainText = fc.stringMatching(/^[a-z][a-z0-9.-]{0,20}$/);
const fieldText = fc.stringMatching(/^[A-Za-z0-9:/._-]{0,30}$/);

const oddText = fc.oneof(fc.constantFrom(...oddTexts), fc.string({ unit: 'binary', maxLength: 50 }));

const deep: unknown = Array.from({ length: 200 }).reduce<unknown>((inner) => ({ a: [inner] }), 1);

/** Any JSON value, including numbers at the limits, and deep and wide values. */
const oddValue: Arbitrary<unknown> = fc.oneof(
  { weight: 3, arbitrary: oddText },
  fc.constantFrom<unknown>(null, true, false, 0, -1, 1.5, 1e308, 2 ** 53, -0),
  fc.constantFrom<unknown>(
    [],
    {},
    [null],
    [[]],
    [{}],
    { $ne: null },
    deep,
    Array.from({ length: 3_000 }, () => 0),
  ),
  fc.jsonValue({ maxDepth: 3 }),
);

/** Values for a schema: valid ones, near misses, and unexpected ones. */
export function valuesOf(schema: Schema | undefined): Arbitrary<unknown> {
  if (schema === undefined) return oddValue;
  return fc.oneof({ weight: 8, arbitrary: likelyValue(schema) }, { weight: 1, arbitrary: oddValue });
}

function likelyValue(schema: Schema): Arbitrary<unknown> {
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  if (schema.anyOf !== undefined) return fc.oneof(...schema.anyOf.map(valuesOf));
  switch ([schema.type].flat()[0]) {
    case 'object':
      return objectOf(schema);
    case 'array':
      return fc.array(valuesOf(schema.items), { maxLength: 4 });
    case 'boolean':
      return fc.boolean();
    case 'integer':
    case 'number':
      return fc.oneof(fc.integer({ min: -2, max: 300 }), fc.constantFrom(2 ** 31, 2 ** 53, 0.5));
    case 'string':
      return fc.oneof(plainText, oddText);
    default:
      return oddValue;
  }
}

/** Most properties are present. Sometimes there is an extra one. */
function objectOf({ properties = {}, required = [] }: Schema): Arbitrary<unknown> {
  const known = Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, valuesOf(one)]));
  return fc
    .tuple(
      fc.record(known, { requiredKeys: required.filter((name) => name in known) }),
      fc.option(fc.tuple(fc.constantFrom(...oddKeys), oddValue), { freq: 5 }),
    )
    .map(([object, extra]) => (extra === null ? object : { ...object, [extra[0]]: extra[1] }));
}

/** Fields of a form or a query. Some have an odd text. */
export function fieldsOf(names: readonly string[]): Arbitrary<Record<string, string>> {
  if (names.length === 0) return fc.constant({});
  const text = fc.oneof(fieldText, oddText);
  return fc.array(fc.tuple(fc.constantFrom(...names), text), { maxLength: 8 }).map(Object.fromEntries);
}

/** JSON text that was cut, doubled or had a character replaced. */
export function damagedTextOf(body: Arbitrary<unknown>): Arbitrary<string> {
  return fc
    .tuple(body, fc.nat(), fc.constantFrom('', '"', '}', '\\', '\u0000', '[', ','))
    .map(([value, at, piece]) => {
      const text = JSON.stringify(value) ?? '';
      const place = at % (text.length + 1);
      return text.slice(0, place) + piece + text.slice(place + 1);
    });
}
