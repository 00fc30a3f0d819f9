import type { Language } from '#src/http/base/language.js';
import { de } from './de.js';
import { en } from './en.js';
import { es } from './es.js';
import { fr } from './fr.js';
import { it } from './it.js';
import type { StartTexts } from './shape.js';

/** The texts of the start page. A missing one is a type error. */
export const startTexts: Readonly<Record<Language, StartTexts>> = { en, de, fr, es, it };
