import type { Language } from '#src/http/base/language.js';
import { de } from './de.js';
import { en } from './en.js';
import { es } from './es.js';
import { fr } from './fr.js';
import { it } from './it.js';
import type { ServiceTexts } from './shape.js';

/** The texts about the service. A missing one is a type error. */
export const serviceTexts: Readonly<Record<Language, ServiceTexts>> = { en, de, fr, es, it };
