import { type Html, type HtmlValue, html } from '#src/http/pages/html.js';
import type { ConsoleVisit } from './visit.js';

/**
 * A form that searches, and its results. With JavaScript the results follow while the person types. Without it, the person presses the
 * button.
 */
export function searchForm(
  { at, t }: Pick<ConsoleVisit, 'at' | 't'>,
  { path, fields, results }: { path: string; fields: HtmlValue; results: HtmlValue },
): Html {
  return html`<form class="search" role="search" method="get" action="${at(path)}" hx-get="${at(path)}" hx-trigger="input delay:250ms, change, submit" hx-target="#results" hx-select="#results" hx-swap="outerHTML" hx-replace-url="true">
${fields}
<button type="submit" class="quiet">${t.search}</button>
</form>
<div id="results" class="results" aria-live="polite">${results}</div>`;
}
