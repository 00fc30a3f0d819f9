import { foldCase } from '#src/directory/index.js';
import type { RangeCondition } from './query.js';

/**
 * Patterns that compare a stored text as `foldCase` would, for texts that have no folded copy. Each character of the literal becomes the
 * list of the characters that fold to it. So no pattern needs the rules for letter case of the database.
 */

/** Code points from the first to the last one. */
type Range = readonly [first: number, last: number];

const lastPoint = 0x10ffff;
/** No letter with two cases is above this one. */
const lastCased = 0x1ffff;
/** Of the letters whose composed form is another letter, none with two cases is above this one. */
const lastSingle = 0x2fff;
/** The end of the text. `$` would also match before a line feed at the end. */
const end = '(?![\\s\\S])';
const nothing = '(?!)';
/** `foldCase` makes it an `i` and a dot, which is after `i` and before `j`. */
const dotted = 'İ';
const dottedFold = 'i\u0307';
const afterI = 'i'.charCodeAt(0) + 0.5;

/** A letter, and the one to which it folds. */
type Fold = readonly [from: number, to: number];

/** The letters that fold to another one, in ascending order, and by that one. Made when the first pattern needs them. */
let known: { readonly folds: readonly Fold[]; readonly byFolded: ReadonlyMap<number, number[]> } | undefined;

/** A regular expression that matches the text in any letter case, wherever its letters are composed of several characters or not. */
export function anyCasePattern(text: string): string {
  const parts = foldCase(text).match(/i\u0307|[\s\S]/gu) ?? [];
  return parts.map(anyCaseOf).join('');
}

function anyCaseOf(part: string): string {
  const points = [...part].map(sameAs);
  const taken = points.join('');
  if (part === dottedFold) return `(?:${dotted}|${taken})`;
  const parts = [...part.normalize('NFD')].map(sameAs).join('');
  return parts === taken ? taken : `(?:${taken}|${parts})`;
}

/**
 * A regular expression that matches the texts before or after a text, in the order of code points and without regard to letter case. Its
 * length and its depth grow with the text.
 */
export function orderPattern(operator: RangeCondition['operator'], text: string): string {
  const isAfter = operator === 'gt' || operator === 'ge';
  let rest = { gt: '[\\s\\S]', ge: '', lt: nothing, le: end }[operator];
  for (const character of [...foldCase(text)].reverse()) {
    const point = pointOf(character);
    const differs = isAfter ? classOf(foldedAfter(point)) : `${end}|${classOf(foldedBefore(point))}`;
    rest = `(?:${differs}|${sameAs(character)}${rest})`;
  }
  return `^${rest}`;
}

/** The characters whose folded form comes after this one. */
function foldedAfter(point: number): Range[] {
  const { folds } = cased();
  const moved = folds.filter(([from, to]) => from > point && to <= point);
  const added = folds.filter(([from, to]) => from <= point && to > point);
  return [...added.map(toRange), ...without([point + 1, lastPoint], moved)];
}

/** The characters whose folded form comes before this one. */
function foldedBefore(point: number): Range[] {
  const { folds } = cased();
  const moved = folds.filter(([from, to]) => from < point && to >= point);
  const added = folds.filter(([from, to]) => from >= point && to < point);
  return [...without([0, point - 1], moved), ...added.map(toRange)];
}

function toRange([from]: Fold): Range {
  return [from, from];
}

/** The range without these letters in it, which fold to something outside. */
function without([first, last]: Range, letters: readonly Fold[]): Range[] {
  const left: Range[] = [];
  let next = first;
  for (const [point] of letters) {
    left.push([next, point - 1]);
    next = point + 1;
  }
  return [...left, [next, last]];
}

/** A class of characters. Ranges that touch become one. */
function classOf(ranges: readonly Range[]): string {
  const joined: [first: number, last: number][] = [];
  for (const [first, last] of ranges) {
    const before = joined.at(-1);
    if (first > last) continue;
    if (before !== undefined && before[1] + 1 === first) before[1] = last;
    else joined.push([first, last]);
  }
  const written = joined.map(([first, last]) => {
    // Halves of surrogate pairs are no characters.
    const from = isHalf(first) ? 0xe000 : first;
    const to = isHalf(last) ? 0xd7ff : last;
    if (from > to) return '';
    return from === to ? escapePoint(from) : `${escapePoint(from)}-${escapePoint(to)}`;
  });
  const text = written.join('');
  return text === '' ? nothing : `[${text}]`;
}

function isHalf(point: number): boolean {
  return point >= 0xd800 && point <= 0xdfff;
}

/** A pattern for the characters that fold to this folded one. */
function sameAs(character: string): string {
  const point = pointOf(character);
  const others = cased().byFolded.get(point);
  return others === undefined ? escapePoint(point) : `[${[point, ...others].map(escapePoint).join('')}]`;
}

function cased(): NonNullable<typeof known> {
  if (known === undefined) {
    const folds = findFolds();
    const byFolded = new Map<number, number[]>();
    for (const [from, to] of folds) byFolded.set(to, [...(byFolded.get(to) ?? []), from]);
    known = { folds, byFolded };
  }
  return known;
}

function findFolds(): Fold[] {
  const found: Fold[] = [];
  for (let point = 0; point <= lastCased; point++) {
    if (isHalf(point)) continue;
    const character = String.fromCodePoint(point);
    // Most characters stay as they are. `foldCase` would take much longer to say so.
    const isPlain = character !== 'ς' && character.toLowerCase() === character;
    if (isPlain && (point > lastSingle || character.normalize('NFC') === character)) continue;
    const folded = [...foldCase(character)];
    if (character === dotted) found.push([point, afterI]);
    else if (folded.length === 1) found.push([point, pointOf(folded[0])]);
  }
  return found;
}

function pointOf(character: string | undefined): number {
  return character?.codePointAt(0) ?? 0;
}

/** Letters, digits and what is not ASCII stand for themselves. */
function escapePoint(point: number): string {
  const character = String.fromCodePoint(point);
  const isPlain = point > 0xff || /[A-Za-z\d]/.test(character);
  return isPlain ? character : `\\x${point.toString(16).padStart(2, '0')}`;
}
