import { type Html, type HtmlValue, html } from '#src/http/pages/html.js';
import { buttons, field, form } from '../http/form.js';
import { type ConsoleVisit, fieldText } from '../http/visit.js';
import type { ApiRefusal } from '../refusals/refusal.js';

/** A form for a step that nobody can take back. The person types the name of what the step destroys. */
export function confirmForm(
  visit: ConsoleVisit,
  options: {
    readonly action: string;
    readonly name: string;
    readonly label: string;
    readonly back: string;
    readonly hidden?: Readonly<Record<string, string>>;
    readonly text: HtmlValue;
  },
): Html {
  const { action, name, label, back, hidden, text } = options;
  const { t, at } = visit;
  const content = html`${field({
    name: 'confirmed',
    label: t.confirmName(name),
    value: fieldText(visit, 'confirmed'),
    isRequired: true,
    isExact: true,
  })}
${buttons(label, { isDangerous: true, cancel: { href: at(back), label: t.cancel } })}`;
  return html`<div class="card">${text}${form(visit, { action, content, ...(hidden && { hidden }) })}</div>`;
}

/** The refusal of a form for which another name was typed. */
export const wrongName: ApiRefusal = {
  status: 400,
  id: 'value.nameDiffers',
  errors: [{ path: ['confirmed'], id: 'value.nameDiffers', params: {} }],
};

/** Whether the person typed the name. Spaces at its ends, and spaces in a row, do not count. */
export function isConfirmed(visit: Pick<ConsoleVisit, 'request'>, name: string): boolean {
  const plain = (text: string) => text.trim().replace(/\s+/g, ' ').normalize('NFC');
  return plain(fieldText(visit, 'confirmed')) === plain(name);
}
