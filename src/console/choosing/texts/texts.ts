import type { Language } from '#src/http/base/language.js';
import { de } from './de.js';
import { en } from './en.js';
import { es } from './es.js';
import { fr } from './fr.js';
import { it } from './it.js';
import type { UserActionTexts } from './shape.js';

/** The texts of what is done with several users. A missing one is a type error. */
export const userActionTexts: Readonly<Record<Language, UserActionTexts>> = { en, de, fr, es, it };
