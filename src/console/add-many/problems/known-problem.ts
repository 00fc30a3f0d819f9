import type { Language } from '#src/http/base/language.js';
import { type HtmlValue, html } from '#src/http/pages/html.js';
import type { KnownProblem } from '#src/migration/convert/reading/conversion-problems.js';
import { number } from '../../http/parts.js';
import { de } from './texts/de.js';
import { en } from './texts/en.js';
import { es } from './texts/es.js';
import { fr } from './texts/fr.js';
import { it } from './texts/it.js';
import type { ProblemTexts } from './texts/shape.js';

/** A missing text is a type error. */
export const problemTexts: Readonly<Record<Language, ProblemTexts>> = { en, de, fr, es, it };

/** The longest value of the file in a sentence, in characters. */
const longest = 100;

/**
 * What a person does about a problem of a conversion, in the language of the person.
 * @param nameOf the words for an attribute of a person
 */
export function knownProblemText(
  language: Language,
  problem: KnownProblem = { id: 'other', params: {} },
  nameOf: (attribute: string) => string = (attribute) => attribute,
): HtmlValue {
  const { id, params } = problem;
  const pieces = problemTexts[language][id].split(/\{(\w+)\}/);
  return html`${pieces.map((piece, at) => (at % 2 === 0 ? piece : shown(piece, params[piece] ?? '')))}`;

  function shown(name: string, value: string | number): string {
    if (typeof value === 'number') return number(value, language);
    return (name === 'name' && (id === 'value' || id.startsWith('not')) ? nameOf(value) : value).slice(
      0,
      longest,
    );
  }
}
