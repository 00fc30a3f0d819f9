import type { Language } from '#src/http/base/language.js';
import { de } from './de.js';
import { type ApplicationsTexts, en } from './en.js';
import { es } from './es.js';
import { fr } from './fr.js';
import { it } from './it.js';

/** The texts of the pages about applications. A missing one is a type error. */
export const applicationsTexts: Readonly<Record<Language, ApplicationsTexts>> = { en, de, fr, es, it };
