import type { Language } from '../base/language.js';
import { filled, type Html, type HtmlValue, html } from '../pages/html.js';
import { textOfError, textOfStatus } from './text-of-error.js';
import { type RefusalText, refusalTexts } from './texts/texts.js';

/** One value that the API refuses. */
export interface RefusedValue {
  /** The names and positions that lead to it in the request. Empty for several values that do not fit each other. */
  readonly path: readonly string[];
  /** A rule for values, such as `value.tooLong`, or the identifier of an error. */
  readonly id: string;
  /** What the rule compares with. */
  readonly params: Readonly<Record<string, unknown>>;
  /** What the page itself says about the value, in the language of the person. */
  readonly text?: string;
}

/** What a page calls the values that a text names. */
export interface Names {
  /** The label of another field, by its name in the API. */
  field?(name: string): HtmlValue | undefined;
  /** The label of a choice, by its value in the API. */
  choice?(value: string): HtmlValue | undefined;
}

const prefix = 'value.';
/** The most choices that a text names. */
const mostNamed = 20;

/** What a person does about a value, in the language of the person. */
export function textOfValue(language: Language, { id, params, text }: RefusedValue, names: Names = {}): Html {
  if (text !== undefined) return html`${text}`;
  const texts = refusalTexts[language];
  const key = id.startsWith(prefix) ? keyOfRule(id.slice(prefix.length), params) : textOfError(id);
  return filled(texts[key ?? 'malformed'], wordsOf(language, params, names));
}

/**
 * What a person does about an error as a whole, in the language of the person. An error without words of its own has its identifier, for
 * whoever helps.
 */
export function textOfRefusal(language: Language, { id, status }: { id: string; status: number }): Html {
  const key = textOfError(id);
  const isVague = id !== '' && (key === undefined || status >= 500);
  return html`<p>${refusalTexts[language][key ?? textOfStatus(status)]}</p>${isVague && html`<p class="hint"><code>${id}</code></p>`}`;
}

function keyOfRule(rule: string, { expected }: RefusedValue['params']): RefusalText | undefined {
  const { en } = refusalTexts;
  const typed = rule === 'type' ? `type_${expected === 'number' ? 'decimal' : String(expected)}` : rule;
  if (Object.hasOwn(en, typed)) return typed as RefusalText;
  return Object.hasOwn(en, rule) ? (rule as RefusalText) : undefined;
}

/** The parameters as a sentence shows them. */
function wordsOf(
  language: Language,
  params: RefusedValue['params'],
  { field, choice }: Names,
): Record<string, HtmlValue> {
  const numbers = new Intl.NumberFormat(language);
  const word = (name: string, value: unknown): HtmlValue => {
    if (typeof value === 'number') return numbers.format(value);
    const text = String(value);
    return (name === 'other' ? field?.(text) : choice?.(text)) ?? text;
  };
  return Object.fromEntries(
    Object.entries(params).map(([name, value]) => {
      const words = [value]
        .flat()
        .slice(0, mostNamed)
        .map((one) => word(name, one));
      return [name, words.map((one, at) => html`${at > 0 && ', '}${one}`)];
    }),
  );
}
