import { type Html, html } from '../pages/html.js';

/** A description as a part of a line: what stands in backticks becomes code. */
export function line(text: string): Html {
  const parts = text.split('`');
  return html`${parts.map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part))}`;
}

/** A description as paragraphs. An empty line separates them. */
export function paragraphs(text: string): Html {
  return html`${text.split(/\n{2,}/).map((one) => html`<p>${line(one)}</p>`)}`;
}
