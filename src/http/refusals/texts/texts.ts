import type { Language } from '#src/http/base/language.js';
import { de } from './de.js';
import { en, type RefusalTexts } from './en.js';
import { es } from './es.js';
import { fr } from './fr.js';
import { it } from './it.js';

/** What a person does about a value or a step that the API refuses. A missing text is a type error. */
export const refusalTexts: Readonly<Record<Language, RefusalTexts>> = { en, de, fr, es, it };

export type RefusalText = keyof RefusalTexts;
