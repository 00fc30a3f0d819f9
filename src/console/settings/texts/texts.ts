import type { Language } from '#src/http/base/language.js';
import { de } from './de.js';
import { en, type SettingsTexts } from './en.js';
import { es } from './es.js';
import { fr } from './fr.js';
import { it } from './it.js';

/** The texts of the settings of an organization. A missing one is a type error. */
export const settingsTexts: Readonly<Record<Language, SettingsTexts>> = { en, de, fr, es, it };
