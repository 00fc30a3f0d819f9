import type { Language } from '../../base/language.js';
import { de } from './texts/de.js';
import { en, type RefusalReasons } from './texts/en.js';
import { es } from './texts/es.js';
import { fr } from './texts/fr.js';
import { it } from './texts/it.js';

const reasons: Readonly<Record<Language, RefusalReasons>> = { en, de, fr, es, it };

/**
 * Why a sign-in by a connection was refused, and what to do, for whoever administers it. A reason that this version does not know is shown as the API
 * names it.
 */
export function reasonInWords(language: Language, reason: string): string {
  return Object.entries(reasons[language]).find(([name]) => name === reason)?.[1] ?? reason;
}
