import type { Language } from '#src/http/base/language.js';
import { de } from './de.js';
import { type ConnectionsTexts, en } from './en.js';
import { es } from './es.js';
import { fr } from './fr.js';
import { it } from './it.js';

/** The texts of the pages about connections. A missing one is a type error. */
export const connectionsTexts: Readonly<Record<Language, ConnectionsTexts>> = { en, de, fr, es, it };
