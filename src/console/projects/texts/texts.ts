import type { Language } from '#src/http/base/language.js';
import { de } from './de.js';
import { en, type ProjectsTexts } from './en.js';
import { es } from './es.js';
import { fr } from './fr.js';
import { it } from './it.js';

/** The texts of the pages about projects. A missing one is a type error. */
export const projectsTexts: Readonly<Record<Language, ProjectsTexts>> = { en, de, fr, es, it };
