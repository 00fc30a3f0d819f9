import type { Language } from '#src/http/base/language.js';
import { de } from './de.js';
import { en } from './en.js';
import { es } from './es.js';
import { fr } from './fr.js';
import { it } from './it.js';
import type { CodeTexts } from './shape.js';

/** The texts of the errors of an import. A missing one is a type error. */
export const codeTexts: Readonly<Record<Language, CodeTexts>> = { en, de, fr, es, it };
