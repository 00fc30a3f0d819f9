import {
  controlsIn,
  type FormControl,
  filled,
  type Html,
  type HtmlValue,
  html,
  withMessages,
} from '#src/http/pages/html.js';
import { type RefusedValue, textOfRefusal, textOfValue } from '#src/http/refusals/refusal-in-words.js';
import { refusalTexts } from '#src/http/refusals/texts/texts.js';
import type { ApiRefusal } from '../refusals/refusal.js';
import { withoutQuery } from './api.js';
import type { ConsoleVisit } from './visit.js';

/** The names of controls by those of the API. Of several, the one counts that the form has. */
export type ControlNames = Readonly<Record<string, string | readonly string[]>>;

/** Why a page shows its form again. */
export interface RefusedForm {
  readonly problem: ApiRefusal;
  /**
   * The controls whose names differ from those of the API: by the name of the value, such as `displayName` or `quotas.users`, or by the
   * identifier of an error that is about no value.
   */
  readonly names?: ControlNames;
  /** What the form did before it was refused. Without it, nothing was saved. */
  readonly done?: HtmlValue;
}

/** One error, with the control that it is about. */
interface Placed {
  readonly value: RefusedValue;
  readonly control: FormControl | undefined;
}

/**
 * The content of a page in which every refused value has a message at its control, and a summary of all of them with links, for the top of the
 * page. The form is the one that was sent to the address of the request.
 */
export function withRefusal(
  visit: Pick<ConsoleVisit, 'at' | 'language' | 'request'>,
  content: HtmlValue,
  refused: RefusedForm,
): { content: Html; alert: Html } {
  const { language, request } = visit;
  const { problem, names = {}, done } = refused;
  const texts = refusalTexts[language];
  const markup = html`${content}`;
  const address = visit.at(withoutQuery(request.url));
  const controls = new Map(controlsIn(markup, address).map((control) => [control.name, control]));
  const controlOf = (path: readonly string[], id: string) => {
    const name = namesOf(path, id, names).find((one) => controls.has(one));
    return name === undefined ? undefined : controls.get(name);
  };
  const order = [...controls.keys()];
  const positionOf = ({ control }: Placed) =>
    control === undefined ? order.length : order.indexOf(control.name);
  // The summary has the order of the form.
  const placed = valuesOf(problem, names)
    .map((value): Placed => ({ value, control: controlOf(value.path, value.id) }))
    .sort((one, other) => positionOf(one) - positionOf(other));
  const words = ({ value, control }: Placed): Html => {
    const line =
      control?.hasLines === true ? lineOf(request.body, control.name, value.path.at(-1)) : undefined;
    const text = textOfValue(language, value, {
      field: (name) => controlOf(name.split('.'), '')?.label,
      choice: (choice) => control?.choices.get(choice),
    });
    return html`${line !== undefined && html`${filled(texts.line, { line })} `}${text}`;
  };
  const messages = new Map<string, Html>();
  for (const one of placed) {
    if (one.control === undefined) continue;
    const { name } = one.control;
    const before = messages.get(name);
    messages.set(name, html`${before && html`${before}<br>`}${words(one)}`);
  }
  const rows = placed.map((one) => html`<li>${placeOf(one)}${words(one)}</li>`);
  const reason =
    rows.length === 0
      ? textOfRefusal(language, problem)
      : html`<p>${done === undefined ? texts.intro : texts.fix}</p><ul>${rows}</ul>`;
  return { content: withMessages(markup, address, messages), alert: html`${reason}${done}` };
}

/** The values that an error refuses. An error about no value for which the page names a control counts as one. */
function valuesOf({ errors, id }: ApiRefusal, names: ControlNames): readonly RefusedValue[] {
  return errors.length > 0 || !Object.hasOwn(names, id) ? errors : [{ path: [], id, params: {} }];
}

/** The names that the control of a value may have, the most likely first. */
function namesOf(path: readonly string[], id: string, names: ControlNames): string[] {
  const controlsOf = (name: string) => (Object.hasOwn(names, name) ? [names[name] ?? []].flat() : []);
  const steps = path.filter((step) => !/^\d+$/.test(step));
  const whole = steps.join('.');
  const attribute = whole.replace(/^urn:.*:(?=[^:]+$)/, '').split('.');
  const parts = [...attribute.toReversed(), ...steps.toReversed()];
  return [...controlsOf(id), ...controlsOf(whole), whole, ...parts.flatMap(controlsOf), ...parts];
}

/** Which line of a text area has the value at a position. Empty lines are no values. */
function lineOf(body: unknown, name: string, position = ''): number | undefined {
  const typed = (body as Record<string, unknown> | undefined)?.[name];
  if (!/^\d+$/.test(position) || typeof typed !== 'string') return undefined;
  const lines = typed.split(/\r?\n/).flatMap((line, at) => (line.trim() === '' ? [] : [at + 1]));
  return lines[Number(position)];
}

/** A link to the control. A value without one has its name in the API. */
function placeOf({ control, value }: Placed): Html | undefined {
  if (control !== undefined) return html`<a href="#${control.id}">${control.label}</a>: `;
  return value.path.length === 0 ? undefined : html`<code>${value.path.join('.')}</code>: `;
}
