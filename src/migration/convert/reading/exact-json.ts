import { isJsonObject } from '#src/platform/json/json-object.js';

const [quote, backslash, openBrace, closeBrace, colon] = [0x22, 0x5c, 0x7b, 0x7d, 0x3a];
const blankBeforeColon = /"\s+:/;
/** What a blank before a colon ends with. Texts have few blanks but many quotation marks, so this search costs less than the pattern. */
const blanks = [' :', '\t:', '\n:', '\r:'];

/** Puts whole numbers that JavaScript cannot hold, and numbers that it takes for infinity, into quotation marks: identifiers of 64 bits keep their digits. */
export function withLongNumbersAsTexts(text: string): string {
  const parts: string[] = [];
  let from = 0;
  let at = 0;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === quote) at = endOfString(text, at);
    else if (isDigit(code)) {
      const end = endOfNumber(text, at);
      const isNegative = text[at - 1] === '-';
      if (losesDigits(text.slice(at, end))) {
        const begin = isNegative ? at - 1 : at;
        parts.push(text.slice(from, begin), '"', text.slice(begin, end), '"');
        from = end;
      }
      at = end;
    } else at += 1;
  }
  return parts.length === 0 ? text : parts.join('') + text.slice(from);
}

/** Whether JavaScript changes a number without a sign: it has other digits, or becomes infinity. Fractions are rounded everywhere. */
function losesDigits(number: string): boolean {
  const value = Number(number);
  if (value === Number.POSITIVE_INFINITY) return true;
  return number.length >= 16 && /^\d+$/.test(number) && !Number.isSafeInteger(value);
}

/** What a parsed JSON text may hide. */
interface Doubts {
  /** Whether the text may have two members of one name. {@link hasTwins} decides. */
  readonly mayHaveTwins: boolean;
  /** Whether it has a whole number that JavaScript cannot hold. */
  readonly hasLongNumber: boolean;
}

/**
 * Looks at a text and at what `JSON.parse` made of it. Each member has a quotation mark and perhaps blanks before its colon, so a text without
 * twins has as many such places as members. Texts within it may have such places too.
 */
export function doubtsAbout(text: string, parsed: unknown): Doubts {
  let places = 0;
  for (let at = text.indexOf('":'); at >= 0; at = text.indexOf('":', at + 2)) places += 1;
  const { members, hasLongNumber } = lookAt(parsed);
  return { mayHaveTwins: places !== members || hasBlankBeforeColon(text), hasLongNumber };
}

function hasBlankBeforeColon(text: string): boolean {
  return blanks.some((blank) => text.includes(blank)) && blankBeforeColon.test(text);
}

/** Whether an object in a JSON text has two members of one name. @param text that `JSON.parse` takes */
export function hasTwins(text: string): boolean {
  const open: Set<string>[] = [];
  let last = '';
  for (let at = 0; at < text.length; ) {
    const code = text.charCodeAt(at);
    if (code === quote) {
      const end = endOfString(text, at);
      last = text.slice(at, end);
      at = end;
      continue;
    }
    if (code === openBrace) open.push(new Set());
    else if (code === closeBrace) open.pop();
    else if (code === colon) {
      const name = last.includes('\\') ? String(JSON.parse(last)) : last.slice(1, -1);
      const names = open.at(-1);
      if (names?.has(name)) return true;
      names?.add(name);
    }
    at += 1;
  }
  return false;
}

/** The number of members of all objects in a value, and whether a number is beyond 2^53. A deep value does not exhaust the stack. */
function lookAt(value: unknown): { members: number; hasLongNumber: boolean } {
  let members = 0;
  let hasLongNumber = false;
  const left = [value];
  while (left.length > 0) {
    const one = left.pop();
    const isList = Array.isArray(one);
    if (!isList && !isJsonObject(one)) continue;
    for (const inner of isList ? one : Object.values(one)) {
      if (!isList) members += 1;
      if (typeof inner === 'object') left.push(inner);
      else if (typeof inner === 'number' && Math.abs(inner) > Number.MAX_SAFE_INTEGER) hasLongNumber = true;
    }
  }
  return { members, hasLongNumber };
}

/** The place behind the string that begins here. */
function endOfString(text: string, from: number): number {
  let at = from + 1;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === quote) return at + 1;
    at += code === backslash ? 2 : 1;
  }
  return text.length;
}

/** The place behind the number that begins here, with its fraction and exponent. */
function endOfNumber(text: string, from: number): number {
  let at = from;
  while (at < text.length && /[\d.eE+-]/.test(text[at] ?? '')) at++;
  return at;
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}
