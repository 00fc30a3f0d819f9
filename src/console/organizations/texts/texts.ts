import type { Language } from '#src/http/base/language.js';
import { de } from './de.js';
import { en, type OrganizationsTexts } from './en.js';
import { es } from './es.js';
import { fr } from './fr.js';
import { it } from './it.js';

/** The texts of the pages about organizations. A missing one is a type error. */
export const organizationsTexts: Readonly<Record<Language, OrganizationsTexts>> = { en, de, fr, es, it };
