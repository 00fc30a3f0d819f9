import type { Language } from '../../base/language.js';
import { de } from './de.js';
import { en } from './en.js';
import { es } from './es.js';
import { fr } from './fr.js';
import { it } from './it.js';
import type { ErrorTexts } from './shape.js';

/** A missing text is a type error. */
export const errorTexts: Readonly<Record<Language, ErrorTexts>> = { en, de, fr, es, it };
