import type { Language } from '#src/http/base/language.js';
import type { ConsoleTexts } from './console-texts.js';
import { de } from './de.js';
import { en } from './en.js';
import { es } from './es.js';
import { fr } from './fr.js';
import { it } from './it.js';

/** A missing text is a type error. */
export const consoleTexts: Readonly<Record<Language, ConsoleTexts>> = { en, de, fr, es, it };

export type { ConsoleTexts } from './console-texts.js';
