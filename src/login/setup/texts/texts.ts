import type { Language } from '#src/http/base/language.js';
import { de } from './de.js';
import { en, type SetupTexts } from './en.js';
import { es } from './es.js';
import { fr } from './fr.js';
import { it } from './it.js';

/** The texts of the pages of a set-up link. A missing one is a type error. */
export const setupTexts: Readonly<Record<Language, SetupTexts>> = { en, de, fr, es, it };
