import { connectionErrors } from '#src/connections/index.js';
import { type HtmlValue, html } from '#src/http/pages/html.js';
import { unusableInWords } from '#src/http/providers/unusable/unusable-reason.js';
import { textOfValue } from '#src/http/refusals/refusal-in-words.js';
import type { AppError, Violation } from '#src/platform/errors.js';
import type { SetupVisit } from './setup-session.js';

/** The labels of the fields of a form, by the last name that leads to a value in a request. */
type Labels = Readonly<Record<string, string>>;

/**
 * Why a form of a set-up page was refused, in the language of the page: what is wrong with the provider, or a sentence for each value, with the label of its
 * field.
 */
export function whyRefused(
  { language }: Pick<SetupVisit, 'language'>,
  { definition, message, violations }: AppError,
  labels: Labels = {},
): HtmlValue {
  const [first] = violations;
  const { id } = definition;
  if (id === connectionErrors.providerUnusable.id)
    return unusableInWords(language, first?.params) ?? html`<span lang="en">${message}</span>`;
  if (first === undefined) return textOfValue(language, { path: [], id, params: {} });
  return violations.map((violation, at) => html`${at > 0 && ' '}${valueInWords(violation)}`);

  function valueInWords({ path, id: rule, params = {} }: Violation): HtmlValue {
    const label = labels[path.at(-1) ?? ''];
    const text = textOfValue(language, { path, id: rule, params });
    return label === undefined ? text : html`${label}: ${text}`;
  }
}
