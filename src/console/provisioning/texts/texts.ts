import type { Language } from '#src/http/base/language.js';
import { de } from './de.js';
import { en, type ProvisioningTexts } from './en.js';
import { es } from './es.js';
import { fr } from './fr.js';
import { it } from './it.js';

/** The texts of the pages about provisioning. A missing one is a type error. */
export const provisioningTexts: Readonly<Record<Language, ProvisioningTexts>> = { en, de, fr, es, it };
