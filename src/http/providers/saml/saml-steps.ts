import type { Language } from '../../base/language.js';
import type { SamlTemplate } from './saml-templates.js';
import { de } from './texts/de.js';
import { en, type SamlStepTexts } from './texts/en.js';
import { es } from './texts/es.js';
import { fr } from './texts/fr.js';
import { it } from './texts/it.js';

const texts: Readonly<Record<Language, SamlStepTexts>> = { en, de, fr, es, it };

/** What an administrator does at the provider, a sentence for each step. */
export function samlSteps(language: Language, { at, sets, metadata }: SamlTemplate): string[] {
  const t = texts[language];
  return [
    at === undefined ? t.openOther : t.open.replace('{page}', at.page).replace('{open}', at.open),
    t.enter,
    ...sets.map(([where, what]) => t.set.replace('{where}', where).replace('{what}', () => what)),
    t[metadata.has].replace('{name}', metadata.name),
  ];
}
