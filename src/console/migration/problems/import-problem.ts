import type { Language } from '#src/http/base/language.js';
import type { Html, HtmlValue } from '#src/http/pages/html.js';
import { withEnglish } from '../../http/parts.js';
import { codeTexts } from './texts/texts.js';

/** The longest message that a page shows, in characters. */
const longest = 200;

/** The code with which a message of an import begins. Empty if it has none. */
export function codeOfMessage(message: string): string {
  return /^[A-Z0-9-]+/.exec(message)?.[0] ?? '';
}

/**
 * What is wrong with a record, in the language of the person, with the message of the API.
 * @param text instead of the general text of the code
 */
export function importProblem(language: Language, message: string, text?: HtmlValue): Html {
  const texts: Readonly<Record<string, string>> = codeTexts[language];
  const code = codeOfMessage(message);
  const isKnown = Object.hasOwn(texts, code);
  const general = isKnown ? texts[code] : texts.FAULT;
  return withEnglish(text ?? general, { id: isKnown ? code : 'FAULT', english: message.slice(0, longest) });
}
