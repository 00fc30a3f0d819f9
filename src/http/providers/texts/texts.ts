import type { Language } from '../../base/language.js';
import { de } from './de.js';
import { en, type ProviderSteps } from './en.js';
import { es } from './es.js';
import { fr } from './fr.js';
import { it } from './it.js';

/** What an administrator does at each provider. A missing text is a type error. */
export const providerSteps: Readonly<Record<Language, ProviderSteps>> = { en, de, fr, es, it };
