import type { Language } from '#src/http/pages/language.js';
import { de } from './texts/de.js';
import { en, type Texts } from './texts/en.js';
import { es } from './texts/es.js';
import { fr } from './texts/fr.js';
import { it } from './texts/it.js';

export type { Texts } from './texts/en.js';

/** The texts of every language that pages are written in; a missing one is a type error. */
export const texts: Readonly<Record<Language, Texts>> = { en, de, fr, es, it };

/** How languages call themselves. */
export const languageNames: Readonly<Record<Language, string>> = {
  en: 'English',
  de: 'Deutsch',
  fr: 'Français',
  es: 'Español',
  it: 'Italiano',
};
