import type { Language } from '#src/http/base/language.js';
import { de } from './de.js';
import { en, type Texts } from './en.js';
import { es } from './es.js';
import { fr } from './fr.js';
import { it } from './it.js';

export type { Texts } from './en.js';

/** The texts of all languages of the pages. A missing text is a type error. */
export const texts: Readonly<Record<Language, Texts>> = { en, de, fr, es, it };

/** The name of each language in that language. */
export const languageNames: Readonly<Record<Language, string>> = {
  en: 'English',
  de: 'Deutsch',
  fr: 'Français',
  es: 'Español',
  it: 'Italiano',
};
