import { distance } from 'fastest-levenshtein';

/** A word of this length may have one typing error for each so many letters. */
const lettersPerError = 3;

/**
 * Returns the candidate that somebody meant with a word, or undefined if none is near: the one with the fewest letters to change, or else
 * one with the word inside.
 */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  const plain = (text: string) => text.replace(/^-+/, '').toLowerCase();
  const typed = plain(word);
  if (typed === '') return undefined;
  const most = Math.max(1, Math.ceil(typed.length / lettersPerError));
  const near = candidates
    .map((candidate) => ({ candidate, errors: distance(typed, plain(candidate)) }))
    .filter(({ errors }) => errors <= most)
    .sort((a, b) => a.errors - b.errors);
  return near[0]?.candidate ?? candidates.find((candidate) => plain(candidate).includes(typed));
}
