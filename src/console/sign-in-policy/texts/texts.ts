import type { Language } from '#src/http/base/language.js';
import { de } from './de.js';
import { en, type PolicyTexts } from './en.js';
import { es } from './es.js';
import { fr } from './fr.js';
import { it } from './it.js';

/** The texts of the sign-in policy of an organization. A missing one is a type error. */
export const policyTexts: Readonly<Record<Language, PolicyTexts>> = { en, de, fr, es, it };
