import type { Language } from '#src/http/base/language.js';
import { connectionsTexts } from '../texts/texts.js';

/** The text with this key. Undefined for a name that this version does not know. */
export function textNamed(language: Language, key: string): string | undefined {
  const texts: Readonly<Record<string, string>> = connectionsTexts[language];
  return Object.hasOwn(texts, key) ? texts[key] : undefined;
}

/** Why a sign-in was refused, and what to do. A reason without words is shown as the API names it. */
export function reasonInWords(language: Language, reason: string): string {
  return textNamed(language, `reason_${reason}`) ?? reason;
}
