import type { Language } from '../../base/language.js';
import { filled, type Html } from '../../pages/html.js';
import { moment } from '../../pages/moment.js';
import { de } from './texts/de.js';
import { type AnswerTexts, en } from './texts/en.js';
import { es } from './texts/es.js';
import { fr } from './texts/fr.js';
import { it } from './texts/it.js';

const texts: Readonly<Record<Language, AnswerTexts>> = { en, de, fr, es, it };

/** The name of an attribute of a person, such as `givenName`. One that this version does not know stays as the API names it. */
export function attributeInWords(language: Language, attribute: string): string {
  return textNamed(language, `claim_${attribute}`) ?? attribute;
}

/** Every attribute of a person that a claim may fill, with its name. */
export function attributesInWords(language: Language): (readonly [attribute: string, name: string])[] {
  return Object.entries(texts[language]).flatMap(([key, name]) =>
    key.startsWith('claim_') ? [[key.slice('claim_'.length), name] as const] : [],
  );
}

/** What a claim is read for: a purpose of this service, or an attribute of a person. */
export function goalInWords(language: Language, goal: string): string {
  return textNamed(language, `goal_${goal}`) ?? attributeInWords(language, goal);
}

/** What an administrator should know about an answer. @param credentialEnds the time that some notes name (ISO 8601) */
export function noteInWords(language: Language, note: string, credentialEnds: string | undefined): Html {
  const text = textNamed(language, `note_${note}`) ?? note;
  return filled(text, { date: moment(credentialEnds, language) });
}

/** The text with this key. Undefined for a name that this version does not know. */
function textNamed(language: Language, key: string): string | undefined {
  return Object.entries(texts[language]).find(([name]) => name === key)?.[1];
}
