import { type HtmlValue, html } from '#src/http/pages/html.js';
import { buttons, field, form } from '../http/form.js';
import type { ConsolePage } from '../http/respond.js';
import { type ConsoleVisit, fieldText } from '../http/visit.js';
import { pathOf, type ShownOrganization } from './organization-of.js';

export interface Removal {
  readonly organization: ShownOrganization;
  readonly title: string;
  /** What ends with the removal. */
  readonly text: HtmlValue;
  /** What must be typed. */
  readonly name: string;
  /** Below the organization, where the form is posted. */
  readonly action: string;
  /** Below the organization, where "Cancel" leads. */
  readonly back: string;
  readonly crumbs: NonNullable<ConsolePage['crumbs']>;
}

/** A page that says what a removal destroys, and asks for the name. */
export function confirmRemovalPage(visit: ConsoleVisit, removal: Removal, isWrong = false): ConsolePage {
  const { t, at } = visit;
  const { organization, title, text, name, action, back, crumbs } = removal;
  const content = form(visit, {
    action: pathOf(visit, action),
    content: html`<div>${text}</div>
${field({
  name: 'confirm',
  label: t.confirmName(name),
  isRequired: true,
  isExact: true,
  ...(isWrong && { error: t.confirmWrong }),
})}
${buttons(t.remove, { isDangerous: true, cancel: { href: at(pathOf(visit, back)), label: t.cancel } })}`,
  });
  return {
    title,
    organization,
    crumbs,
    content: html`<div class="card">${content}</div>`,
    ...(isWrong && { status: 400 }),
  };
}

/** Whether the person typed the name. */
export function isConfirmed(visit: ConsoleVisit, name: string): boolean {
  return fieldText(visit, 'confirm') === name.trim();
}
