/**
 * Whether the text has control characters other than tab and line ends, or half of a surrogate pair. No attribute
 * needs them; UTF-8, patterns and the keys of the search indexes cannot carry them all.
 */
export function hasUnusableCharacters(text: string): boolean {
  return /(?![\t\n\r])[\p{Cc}\p{Cs}]/u.test(text);
}
