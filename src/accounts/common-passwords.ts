import { createRequire } from 'node:module';

/** Letters for which people write digits and symbols. */
const lettersMeant: Readonly<Record<string, string>> = {
  '@': 'a',
  '4': 'a',
  '3': 'e',
  '1': 'i',
  '!': 'i',
  '0': 'o',
  $: 's',
  '5': 's',
  '7': 't',
};

/** The most digits and symbols that somebody adds to a common password without making it a good one. */
const maxAdded = 6;

/** A shorter word, with what is added to it, is not common. A repeated text that is as short is. */
const shortest = 4;

let list: ReadonlySet<string> | undefined;

/**
 * Returns whether a password is common or breached. The forms that attackers try first count too. Letters may be in any
 * case, or digits and symbols may stand for them. Up to 6 digits and symbols may be added at the ends. The text may be repeated,
 * or be one run such as `abcdefgh`. The whole password is compared. Words inside a longer password do not matter (NIST SP 800-63B-4 section 3.1.1.2).
 * The first check of a process loads the list, which takes about 25 ms and 4 MB.
 * @param password of at most 200 characters
 */
export function isCommonPassword(password: string): boolean {
  const folded = password.normalize('NFKC').toLowerCase();
  return formsOf(folded).some((form) => isRun(form) || isListed(repeatedPart(form)));
}

/** Returns the password, and what is left of it without the digits and symbols at its ends. */
function formsOf(folded: string): string[] {
  const forms = [folded];
  for (const added of [/[^\p{L}\p{M}\p{N}]/u, /[^\p{L}\p{M}]/u]) {
    const withoutEnd = folded.slice(0, endBefore(folded, added));
    forms.push(withoutEnd, withoutEnd.slice(startAfter(withoutEnd, added)));
  }
  const meant = forms.map((form) => form.replace(/[@43!10$57]/g, (sign) => lettersMeant[sign] ?? sign));
  return [...new Set([...forms, ...meant])].filter(
    ({ length }) => length >= shortest && folded.length - length <= maxAdded,
  );
}

/** Returns where the characters of the pattern begin that the text ends with. */
function endBefore(text: string, pattern: RegExp): number {
  let end = text.length;
  while (end > 0 && pattern.test(text.charAt(end - 1))) end--;
  return end;
}

/** Returns where the characters of the pattern end that the text begins with. */
function startAfter(text: string, pattern: RegExp): number {
  let start = 0;
  while (start < text.length && pattern.test(text.charAt(start))) start++;
  return start;
}

/** Returns the shortest text whose repetition is the given one, such as `abc` for `abcabc`. */
function repeatedPart(text: string): string {
  return text.slice(0, `${text}${text}`.indexOf(text, 1));
}

function isListed(word: string): boolean {
  list ??= loadList();
  return word.length < shortest || list.has(word);
}

/** Returns whether each character is the one after, the one before, or the same as the character to its left. */
function isRun(text: string): boolean {
  const step = text.charCodeAt(1) - text.charCodeAt(0);
  if (Math.abs(step) > 1) return false;
  for (let index = 2; index < text.length; index++) {
    if (text.charCodeAt(index) - text.charCodeAt(index - 1) !== step) return false;
  }
  return true;
}

function loadList(): ReadonlySet<string> {
  const load = createRequire(import.meta.url);
  const { dictionary } = load('@zxcvbn-ts/language-common') as typeof import('@zxcvbn-ts/language-common');
  return new Set(dictionary['passwords-common']);
}
