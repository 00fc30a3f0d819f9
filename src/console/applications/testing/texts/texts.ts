import type { Language } from '#src/http/base/language.js';
import { de } from './de.js';
import { en, type TestTexts } from './en.js';
import { es } from './es.js';
import { fr } from './fr.js';
import { it } from './it.js';

/** The texts of the test sign-in. A missing one is a type error. */
export const testTexts: Readonly<Record<Language, TestTexts>> = { en, de, fr, es, it };
