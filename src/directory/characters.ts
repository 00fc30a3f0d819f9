/** The most combining marks in a row. Writing systems need a few. */
const maxMarks = 30;

/** Every combining mark is above this one. */
const firstMark = 0x300;

/** The combining marks of the planes 0 and 1 are marked by 1. To ask a regular expression for each character is slow. */
let marks: Uint8Array | undefined;

/**
 * Returns whether the text contains half of a surrogate pair, a control character other than tab and line ends, or more
 * than 30 combining marks in a row. No attribute needs them. UTF-8, patterns and the keys of the search indexes cannot
 * carry all of the first two, and `foldCase` does not fold the third.
 */
export function hasUnusableCharacters(text: string): boolean {
  return /[^\P{Cc}\t\n\r]/u.test(text) || !text.isWellFormed() || hasManyMarks(text);
}

/**
 * Returns whether the text contains more than 30 combining marks in a row. To normalize such a row takes time in the square
 * of its length.
 */
export function hasManyMarks(text: string): boolean {
  if (!/[\u0300-\uffff]/.test(text)) return false;
  let inARow = 0;
  for (let index = 0; index < text.length; index++) {
    const code = text.codePointAt(index) ?? 0;
    if (code > 0xffff) index++;
    inARow = isMark(code) ? inARow + 1 : 0;
    if (inARow > maxMarks) return true;
  }
  return false;
}

function isMark(code: number): boolean {
  if (code < firstMark) return false;
  if (code > 0x1ffff) return code >= 0xe0100 && code <= 0xe01ef;
  marks ??= Uint8Array.from({ length: 0x20000 }, (_, code) =>
    /\p{M}/u.test(String.fromCodePoint(code)) ? 1 : 0,
  );
  return marks[code] === 1;
}

/** For error messages about {@link hasUnusableCharacters}. */
export const unusableCharacters = 'control characters, or more than 30 combining marks in a row';

/**
 * Returns whether the text has more characters than the limit. A character outside the Basic Multilingual Plane counts
 * once. A very long text is not counted to its end.
 */
export function isLongerThan(text: string, limit: number): boolean {
  return text.length > 2 * limit || (text.length > limit && Array.from(text).length > limit);
}

/**
 * Returns whether a name has a tab, a line break, or an invisible character such as a change of the writing direction. Such
 * a name could break out of its line or pass for another one. The joiners of Persian and of emoji are allowed.
 */
export function hasInvisibleCharacters(name: string): boolean {
  // Most names are plain ASCII. For those, the classes of Unicode take five times as long as this.
  if (!/[^ -~]/.test(name)) return false;
  return /[\t\n\r\p{Zl}\p{Zp}]|(?![\u200c\u200d])\p{Cf}/u.test(name);
}

/** Returns whether a login name has an invisible character, joiners included, or one that looks like the `@`. */
export function isDeceptive(loginName: string): boolean {
  return /[\p{Zl}\p{Zp}\p{Cf}\ufe6b\uff20]/u.test(loginName);
}
