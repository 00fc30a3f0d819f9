import { type Html, type HtmlValue, html } from '#src/http/pages/html.js';
import { buttons, field, form } from '../http/form.js';
import { type ConsoleVisit, fieldText } from '../http/visit.js';

/**
 * A form for a step that nobody can take back. The person types the name of what the step destroys.
 * @param parts `isWrong`: whether another name was typed
 */
export function confirmForm(
  visit: ConsoleVisit,
  parts: {
    readonly action: string;
    readonly name: string;
    readonly label: string;
    readonly back: string;
    readonly isWrong: boolean;
    readonly hidden?: Readonly<Record<string, string>>;
    readonly text: HtmlValue;
  },
): Html {
  const { action, name, label, back, isWrong, hidden, text } = parts;
  const { t, at } = visit;
  const content = html`${field({
    name: 'confirmed',
    label: t.confirmName(name),
    value: isWrong ? fieldText(visit, 'confirmed') : '',
    isRequired: true,
    isExact: true,
    ...(isWrong && { error: t.confirmWrong }),
  })}
${buttons(label, { isDangerous: true, cancel: { href: at(back), label: t.cancel } })}`;
  return html`<div class="card">${text}${form(visit, { action, content, ...(hidden && { hidden }) })}</div>`;
}

/** Whether the person typed the name. Spaces at its ends, and spaces in a row, do not count. */
export function isConfirmed(visit: Pick<ConsoleVisit, 'request'>, name: string): boolean {
  const plain = (text: string) => text.trim().replace(/\s+/g, ' ').normalize('NFC');
  return plain(fieldText(visit, 'confirmed')) === plain(name);
}
