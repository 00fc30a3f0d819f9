import type { Language } from '#src/http/base/language.js';
import { de } from './de.js';
import { type ApiTexts, en } from './en.js';
import { es } from './es.js';
import { fr } from './fr.js';
import { it } from './it.js';

/** The texts of the pages about APIs and those that call them. A missing one is a type error. */
export const apiTexts: Readonly<Record<Language, ApiTexts>> = { en, de, fr, es, it };
