import type { Language } from '#src/http/base/language.js';
import { de } from './de.js';
import { en } from './en.js';
import { es } from './es.js';
import { fr } from './fr.js';
import { it } from './it.js';
import type { AddManyTexts } from './shape.js';

/** A missing text is a type error. */
export const addManyTexts: Readonly<Record<Language, AddManyTexts>> = { en, de, fr, es, it };

export type { AddManyTexts } from './shape.js';
