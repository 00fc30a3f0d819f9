import type { Language } from '#src/http/pages/language.js';
import { de } from './texts/de.js';
import { en, type Texts } from './texts/en.js';
import { es } from './texts/es.js';
import { fr } from './texts/fr.js';
import { it } from './texts/it.js';

export type { Texts } from './texts/en.js';

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
