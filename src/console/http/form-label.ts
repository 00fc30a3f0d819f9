import { type HtmlValue, html, sendingLabel, textOfMarkup } from '#src/http/pages/html.js';
import type { ConsoleVisit } from './visit.js';

/** What a page with forms says of itself. */
interface FormPage {
  readonly title: string;
  readonly content: HtmlValue;
  readonly actions?: HtmlValue;
  readonly organization?: { readonly name: string };
}

/** The label of the button that sends a form, and what the form is about: the title of its page and the organization. */
export function labelOfForm(
  { at }: Pick<ConsoleVisit, 'at'>,
  { actions, content, title, organization }: FormPage,
  action: string,
): { readonly label: string | undefined; readonly object: readonly string[] } {
  const button = sendingLabel(html`${actions}${content}`, at(action));
  const label = button && textOfMarkup(button);
  const object = [title, organization?.name].filter((name) => name !== undefined && name !== label);
  return { label, object: object.filter((name) => name !== undefined) };
}
