import type { Language } from '#src/http/base/language.js';
import { de } from './de.js';
import { en, type ObjectTexts } from './en.js';
import { es } from './es.js';
import { fr } from './fr.js';
import { it } from './it.js';

/** The texts of the parts that several subjects share. A missing one is a type error. */
export const objectTexts: Readonly<Record<Language, ObjectTexts>> = { en, de, fr, es, it };
