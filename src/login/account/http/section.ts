import { type Html, type HtmlValue, html } from '#src/http/pages/html.js';

/** A part of the account page, with its title beside it or above it. */
export function section(parts: { id: string; title: string; text?: string; content: HtmlValue }): Html {
  const { id, title, text, content } = parts;
  return html`<section aria-labelledby="${id}"><div><h2 id="${id}">${title}</h2>
${text !== undefined && html`<p class="hint">${text}</p>`}</div>
<div>${content}</div></section>`;
}
