/**
 * Characters that a terminal could take as a command, and those that change the direction of text: controls, formats without the two
 * joiners, lone surrogates, and the two separators of lines.
 */
const unsafe = /[\p{Cc}\p{Cs}\u2028\u2029]|(?![\u200c\u200d])\p{Cf}/gu;

/** Returns the text with every unsafe character as its escape, such as `\u001b`. Line feeds and tabs stay. */
export function plainText(text: string): string {
  return text.replace(unsafe, (found) => (found === '\n' || found === '\t' ? found : escapeOf(found)));
}

/** Returns a value from elsewhere as part of a line: as {@link plainText}, without line feeds and tabs. */
export function plainWord(text: string): string {
  return text.replace(unsafe, escapeOf);
}

/** Returns JSON whose strings have every unsafe character as its escape. The value is the same. */
export function plainJson(value: unknown): string {
  return plainText(JSON.stringify(value, undefined, 2));
}

function escapeOf(found: string): string {
  return [...Array(found.length).keys()]
    .map((at) => `\\u${found.charCodeAt(at).toString(16).padStart(4, '0')}`)
    .join('');
}
