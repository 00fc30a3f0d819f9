import { html } from '#src/http/pages/html.js';
import type { DraftsStore } from './drafts.store.js';
import { buttons, form } from './form.js';
import type { ConsolePage, GoTo } from './respond.js';
import { type ConsoleVisit, queryText } from './visit.js';

/** Fields whose values the person should not see again, such as a password that was typed. */
const isHidden = (name: string, value: string) =>
  /password|secret|credential|json/i.test(name) || value === '';

/** A form that waited for the sign-in, with what was typed. The person sends it again. */
export async function resumePage(
  visit: ConsoleVisit,
  drafts: Pick<DraftsStore, 'take'>,
): Promise<ConsolePage | GoTo> {
  const { t } = visit;
  const draft = await drafts.take(queryText(visit, 'draft'));
  if (draft === undefined) return { goTo: '/console' };
  const fields = Object.entries(draft.fields).flatMap(([name, value]) =>
    [value].flat().map((one) => [name, String(one)] as const),
  );
  const content = html`${fields.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
<dl class="facts">${fields
    .filter(([name, value]) => !isHidden(name, value))
    .map(([name, value]) => html`<div><dt>${name}</dt><dd>${value.slice(0, 500)}</dd></div>`)}</dl>
${buttons(t.resume.send, { cancel: { href: visit.at('/console'), label: t.cancel } })}`;
  return {
    title: t.resume.title,
    subtitle: t.resume.text,
    content: html`<div class="card">${form(visit, { action: draft.action, content })}</div>`,
  };
}
