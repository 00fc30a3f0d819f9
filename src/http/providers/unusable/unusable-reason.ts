import type { Language } from '../../base/language.js';
import { de } from './texts/de.js';
import { en, type UnusableReasons } from './texts/en.js';
import { es } from './texts/es.js';
import { fr } from './texts/fr.js';
import { it } from './texts/it.js';

const reasons: Readonly<Record<Language, UnusableReasons>> = { en, de, fr, es, it };

/**
 * Why a provider cannot be used, for whoever sets up a connection. Undefined for a reason that this version does not know.
 * @param fault `member`: that of the discovery document whose address is at fault. It stands first, because the sentence speaks of "this address"
 */
export function unusableInWords(
  language: Language,
  { reason, member }: { reason?: unknown; member?: unknown } = {},
): string | undefined {
  const words = Object.entries(reasons[language]).find(([name]) => name === reason)?.[1];
  return words !== undefined && typeof member === 'string' ? `${member}: ${words}` : words;
}
