import type { Language } from '#src/http/base/language.js';
import { de } from './de.js';
import { type ConnectTexts, en } from './en.js';
import { es } from './es.js';
import { fr } from './fr.js';
import { it } from './it.js';

/** The texts of the pages with whole programs. A missing one is a type error. */
export const connectTexts: Readonly<Record<Language, ConnectTexts>> = { en, de, fr, es, it };
