import fc from 'fast-check';
import t from 'tap';
import { countsTooMany, parseParameters } from '#src/http/base/parameters.js';
import { fuzzing } from '../../support/hostile/fuzz.js';

t.test('parameters are decoded', async (t) => {
  const cases: Record<string, Record<string, string | string[]>> = {
    '': {},
    a: { a: '' },
    'a=': { a: '' },
    '=a': { '': 'a' },
    'a=1&b=2': { a: '1', b: '2' },
    'a=1&&a=2&a=3': { a: ['1', '2', '3'] },
    'a=b=c': { a: 'b=c' },
    'a+b=c+d': { 'a b': 'c d' },
    'a%2Bb=%26%3D%25': { 'a+b': '&=%' },
    'a=%C3%BC%F0%9F%98%80': { a: 'ü😀' },
    'a=%&b%ZZ=%FF': { a: '%', 'b%ZZ': '%FF' },
    '__proto__=1&constructor=2&toString=3': { ['__proto__']: '1', constructor: '2', toString: '3' },
  };
  for (const [text, expected] of Object.entries(cases)) {
    t.strictSame(Object.entries(parseParameters(text)), Object.entries(expected), text);
  }
});

t.test('no more than a hundred parameters are read', async (t) => {
  const text = (count: number) => Array.from({ length: count }, (_, n) => `p${n}=1`).join('&');
  t.equal(countsTooMany(text(100)), false);
  t.equal(countsTooMany(text(101)), true);
  t.equal(countsTooMany('&'.repeat(99)), false, 'the shortest text with a hundred');
  t.equal(countsTooMany('&'.repeat(100)), true, 'the shortest text with one more');
  t.equal(Object.keys(parseParameters(text(101))).length, 100);
});

t.test('what URLSearchParams writes is read', async () => {
  const settings = fuzzing(300);
  t.comment(`FUZZ_SEED=${settings.seed}`);
  const pairs = fc.array(fc.tuple(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' })), {
    maxLength: 100,
  });
  const property = fc.property(pairs, (given) => {
    const expected = new Map<string, string[]>();
    for (const [name, value] of given) expected.set(name, [...(expected.get(name) ?? []), value]);
    const read = parseParameters(new URLSearchParams(given).toString());
    for (const [name, values] of expected) {
      if (JSON.stringify([read[name]].flat()) !== JSON.stringify(values)) return false;
    }
    return Object.keys(read).length === expected.size;
  });
  fc.assert(property, settings);
});
