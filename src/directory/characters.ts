/**
 * Returns whether the text contains half of a surrogate pair, or a control character other than tab and line ends. No
 * attribute needs these characters. UTF-8, patterns and the keys of the search indexes cannot all carry them.
 */
export function hasUnusableCharacters(text: string): boolean {
  return /(?![\t\n\r])[\p{Cc}\p{Cs}]/u.test(text);
}
