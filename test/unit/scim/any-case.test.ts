import t from 'tap';
import { compareFolded, foldCase } from '#src/directory/index.js';
import { anyCasePattern, orderPattern } from '#src/people/queries/any-case.js';

/** Patterns for texts that have no folded copy must mean what `foldCase` means for the others. */

/** Every character with two cases, and some with one. Of `İ` the folded form is no single character. */
const characters = Array.from({ length: 0x1ffff }, (_, point) => point)
  .filter((point) => point < 0xd800 || point > 0xdfff)
  .map((point) => String.fromCodePoint(point))
  .filter((one) => one.toLowerCase() !== one || one.toUpperCase() !== one || one < '\u0100')
  .filter((one) => [...foldCase(one)].length === 1)
  .concat('中', '\ud7ff', '\ue000', '\uffff', '😀', '\u{10ffff}');
const literals = [
  ...'\0-^\\aKmz{éßẞǆǅσΣάЯᎠꭰⴀ中',
  '\ud7ff',
  '\ue000',
  '\uffff',
  '😀',
  '\u{10400}',
  '\u{10ffff}',
];

t.test('every letter is in its place', async (t) => {
  const wrong: string[] = [];
  for (const literal of literals) {
    const pattern = (operator: 'gt' | 'ge' | 'lt' | 'le') => new RegExp(orderPattern(operator, literal), 'u');
    const [gt, ge, lt, le] = [pattern('gt'), pattern('ge'), pattern('lt'), pattern('le')];
    const equal = new RegExp(`^${anyCasePattern(literal)}$`, 'u');
    for (const one of characters) {
      const order = compareFolded(foldCase(one), foldCase(literal));
      const meant = [order > 0, order >= 0, order < 0, order <= 0, order === 0];
      const found = [gt, ge, lt, le, equal].map((one_) => one_.test(one));
      if (found.join() !== meant.join()) wrong.push(`${JSON.stringify(one)} and ${JSON.stringify(literal)}`);
    }
  }
  t.strictSame(wrong, []);
});

t.test('composed and decomposed letters are equal', async (t) => {
  const rows: [literal: string, text: string, isEqual: boolean][] = [
    ['é', 'E\u0301', true],
    ['e\u0301', 'É', true],
    ['İpek', 'i\u0307PEK', true],
    ['i̇PEK', 'İpek', true],
    ['ipek', 'İpek', false],
    ['ΣΑΣ', 'σας', true],
    ['straße', 'STRAẞE', true],
    ['straße', 'STRASSE', false],
    ['.*', 'ab', false],
    ['a\\', 'A\\', true],
  ];
  for (const [literal, text, isEqual] of rows)
    t.equal(new RegExp(`^${anyCasePattern(literal)}$`, 'u').test(text), isEqual, `${literal} and ${text}`);
});

t.test('the longest patterns are short enough for MongoDB', async (t) => {
  // MongoDB refuses a pattern of more than 32,764 bytes, and one with more than 250 groups in each other.
  for (const literal of literals) {
    for (const operator of ['gt', 'ge', 'lt', 'le'] as const) {
      const pattern = orderPattern(operator, literal.repeat(100));
      t.ok(Buffer.byteLength(pattern) < 32_000, `${JSON.stringify(literal)}: ${Buffer.byteLength(pattern)}`);
    }
    t.ok(Buffer.byteLength(anyCasePattern(literal.repeat(1_000))) < 32_000, JSON.stringify(literal));
  }
});
