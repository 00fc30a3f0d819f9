import { guidesPath } from '#src/http/base/guides-path.js';
import type { Language } from '#src/http/base/language.js';
import { type Html, type HtmlValue, html } from '#src/http/pages/html.js';
import type { ConsoleVisit } from './visit.js';

export { codeBlock, exact } from '#src/http/pages/copy.js';
export { moment } from '#src/http/pages/moment.js';

/** A table. On a narrow screen each row becomes a block, in which every cell names its column. A column of buttons may have no name. */
export function table(options: {
  readonly caption: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly HtmlValue[])[];
}): Html {
  const { caption, columns, rows } = options;
  return html`<table><caption class="away">${caption}</caption>
<thead><tr>${columns.map((column) => (column === '' ? html`<td></td>` : html`<th scope="col">${column}</th>`))}</tr></thead>
<tbody>${rows.map(
    (row) =>
      html`<tr>${row.map((cell, at) => html`<td data-label="${columns[at] ?? ''}">${inOnePiece(cell)}</td>`)}</tr>\n`,
  )}</tbody></table>`;
}

/** On a narrow screen a cell is a grid, which would take a sentence with a link apart. An empty cell stays empty, and is hidden there. */
function inOnePiece(cell: HtmlValue): Html {
  const content = html`${cell}`;
  return content.toString() === '' ? content : html`<div>${content}</div>`;
}

/** What an empty list says: why it is empty, and what to do next. */
export function emptyList(text: HtmlValue, action?: { href: string; label: string }): Html {
  return html`<div class="empty"><p>${text}</p>${
    action !== undefined && html`<p><a class="button" href="${action.href}">${action.label}</a></p>`
  }</div>`;
}

/** Links to the first and to the next page of a list. */
export function pager(options: {
  readonly first?: string | undefined;
  readonly next?: string | undefined;
  readonly t: { readonly firstPage: string; readonly nextPage: string };
}): Html | undefined {
  const { first, next, t } = options;
  if (first === undefined && next === undefined) return undefined;
  return html`<nav class="pager" aria-label="${t.nextPage}">${first !== undefined && html`<a class="button quiet" href="${first}">${t.firstPage}</a>`}${
    next !== undefined && html`<a class="button quiet" rel="next" href="${next}">${t.nextPage}</a>`
  }</nav>`;
}

/**
 * How many a list has on all its pages, or how many a search found.
 * @param found `total`: absent if a search found more than one page shows
 */
export function countLine(
  { t, language }: Pick<ConsoleVisit, 't' | 'language'>,
  found: { total?: number | undefined; shown?: number; isSearch?: boolean },
): Html | undefined {
  const { total, shown = 0, isSearch = false } = found;
  if (total === undefined && (!isSearch || shown === 0)) return undefined;
  const text = isSearch ? (total === undefined ? t.foundMore : t.found) : t.total;
  return html`<p class="soft">${text(number(total ?? shown, language))}</p>`;
}

/** Names and values under each other. Absent values are left out. */
export function facts(rows: readonly (readonly [name: string, value: HtmlValue])[]): Html {
  return html`<dl class="facts">${rows
    .filter(([, value]) => value !== undefined && value !== '' && value !== false)
    .map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;
}

/** A titled part of a page. */
export function card(
  title: HtmlValue,
  content: HtmlValue,
  more: { hint?: HtmlValue; id?: string } = {},
): Html {
  const { hint, id } = more;
  return html`<section class="card"${id !== undefined && html` id="${id}"`}><h2>${title}</h2>${hint !== undefined && html`<p class="soft">${hint}</p>`}
${content}</section>`;
}

/** The tabs of one object. The present one is not a link to itself alone: it is marked for screen readers. */
export function tabs(
  label: string,
  items: readonly { href: string; label: string; isCurrent: boolean }[],
): Html {
  return html`<nav class="tabs" aria-label="${label}"><ul>${items.map(
    ({ href, label, isCurrent }) =>
      html`<li><a href="${href}"${isCurrent && html` aria-current="page"`}>${label}</a></li>`,
  )}</ul></nav>`;
}

/** A short state, in colour and in words. */
export function badge(label: string, kind: 'good' | 'bad' | 'soft' = 'soft'): Html {
  return html`<span class="badge ${kind}">${label}</span>`;
}

/** What an error means, in the language of the person, and below its identifier the English text, which has the values. */
export function withEnglish(text: HtmlValue, { id, english }: { id: string; english: string }): Html {
  return html`${text}<details><summary><code>${id}</code></summary><p lang="en">${english}</p></details>`;
}

/** A link to a guide of this service. It opens beside the page, which may show a secret that does not come back. */
export function guideLink({ at }: Pick<ConsoleVisit, 'at'>, name: string, label: string): Html {
  return html`<a href="${at(`${guidesPath}/${name}`)}" hreflang="en" target="_blank" rel="noopener">${label}</a>`;
}

/** A secret that is shown this once. */
export function shownOnce(options: { label: string; value: string; hint: HtmlValue }): Html {
  return html`<div class="once" role="status"><p><strong>${options.label}</strong></p><p><code class="secret" data-copy>${options.value}</code></p><p class="hint">${options.hint}</p></div>`;
}

/** A number in the language of the page. */
export function number(value: number, language: Language): string {
  return new Intl.NumberFormat(language).format(value);
}
