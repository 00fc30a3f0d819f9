import { type HtmlValue, html } from '#src/http/pages/html.js';
import type { ConsolePage } from '../http/respond.js';
import type { ConsoleVisit } from '../http/visit.js';
import type { ApiRefusal } from '../refusals/refusal.js';
import { pathOf, type ShownOrganization } from '../resources/organization-of.js';
import { confirmForm } from './confirm-form.js';

export interface RemovalQuestion {
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
  /** Fields that the form sends with the name. */
  readonly hidden?: Readonly<Record<string, string>>;
  readonly crumbs: NonNullable<ConsolePage['crumbs']>;
}

/** A page that says what a removal destroys, and asks for the name. */
export function confirmRemovalPage(
  visit: ConsoleVisit,
  removal: RemovalQuestion,
  problem?: ApiRefusal,
): ConsolePage {
  const { organization, title, text, name, action, back, hidden, crumbs } = removal;
  return {
    title,
    organization,
    crumbs,
    content: confirmForm(visit, {
      action: pathOf(visit, action),
      back: pathOf(visit, back),
      label: visit.t.remove,
      name,
      text: html`<div>${text}</div>`,
      ...(hidden && { hidden }),
    }),
    ...(problem && { refused: { problem } }),
  };
}
