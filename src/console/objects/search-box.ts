import { type Html, html } from '#src/http/pages/html.js';
import type { ConsoleVisit } from '../http/visit.js';

/** A search that answers while the person types, and without JavaScript with its button. It replaces `#results` of the page. */
export function searchBox(
  { at, t }: Pick<ConsoleVisit, 'at' | 't'>,
  { path, name, label, value }: { path: string; name: string; label: string; value: string },
): Html {
  return html`<form class="search" role="search" action="${at(path)}"><div class="field"><label for="f-${name}">${label}</label>
<input type="search" id="f-${name}" name="${name}" value="${value}" maxlength="200" autocomplete="off" spellcheck="false" hx-get="${at(path)}" hx-trigger="input changed delay:250ms" hx-target="#results" hx-select="#results" hx-swap="outerHTML" hx-push-url="true"></div>
<button type="submit" class="quiet">${t.search}</button></form>`;
}
