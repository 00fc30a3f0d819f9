import type { Language } from '#src/http/base/language.js';
import { de } from './de.js';
import { en } from './en.js';
import { es } from './es.js';
import { fr } from './fr.js';
import { it } from './it.js';
import type { MigrationTexts } from './shape.js';

/** The texts of imports, exports and jobs. A missing one is a type error. */
export const migrationTexts: Readonly<Record<Language, MigrationTexts>> = { en, de, fr, es, it };
