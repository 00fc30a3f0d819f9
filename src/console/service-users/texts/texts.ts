import type { Language } from '#src/http/base/language.js';
import { de } from './de.js';
import { en, type ServiceUsersTexts } from './en.js';
import { es } from './es.js';
import { fr } from './fr.js';
import { it } from './it.js';

/** The texts of the pages about service users. A missing one is a type error. */
export const serviceUsersTexts: Readonly<Record<Language, ServiceUsersTexts>> = { en, de, fr, es, it };
