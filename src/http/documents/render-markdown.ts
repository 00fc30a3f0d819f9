import { lexer, type Token, type Tokens } from 'marked';
import { type Html, type HtmlValue, html } from '../pages/html.js';

/** A document as a page shows it. */
export interface RenderedDocument {
  readonly title: string;
  /** Its headings of the second level. */
  readonly sections: readonly { readonly id: string; readonly label: string }[];
  readonly content: Html;
}

/** Where a link leads. Undefined leaves its text without a link. */
type Link = (target: string) => string | undefined;

/** Renders a document of this project. Its text is escaped, and it has no markup of its own. */
export function renderMarkdown(markdown: string, link: Link): RenderedDocument {
  const tokens = lexer(markdown);
  const headings = tokens.filter((token) => token.type === 'heading') as Tokens.Heading[];
  const title = headings.find(({ depth }) => depth === 1);
  return {
    title: title?.text.replaceAll('`', '') ?? '',
    sections: headings
      .filter(({ depth }) => depth === 2)
      .map(({ text }) => ({ id: headingId(text), label: text.replaceAll('`', '') })),
    content: blocks(
      tokens.filter((token) => token !== title),
      link,
    ),
  };
}

/** The identifier of a heading, as GitHub makes it. Links of documents have it. */
function headingId(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
}

function blocks(tokens: readonly Token[], link: Link): Html {
  return html`${tokens.map((token) => block(token as Tokens.Generic, link))}`;
}

function block(token: Tokens.Generic, link: Link): HtmlValue {
  switch (token.type) {
    case 'heading':
      return heading(token as Tokens.Heading, link);
    case 'paragraph':
      return html`<p>${inline(token.tokens, link)}</p>\n`;
    case 'text':
      return inline(token.tokens ?? [token], link);
    case 'code':
      return html`<pre tabindex="0" data-copy><code>${token['text']}</code></pre>\n`;
    case 'blockquote':
      return html`<blockquote>${blocks(token.tokens ?? [], link)}</blockquote>\n`;
    case 'list':
      return list(token as Tokens.List, link);
    case 'table':
      return table(token as Tokens.Table, link);
    // Comments, such as that a document is generated.
    case 'html':
    case 'space':
    case 'hr':
      return undefined;
    default:
      throw new Error(`A document has ${token.type}, which pages do not show`);
  }
}

function heading({ depth, text, tokens }: Tokens.Heading, link: Link): Html {
  const id = headingId(text);
  const content = inline(tokens, link);
  return depth === 2
    ? html`<h2 id="${id}"><a href="#${id}">${content}</a></h2>\n`
    : html`<h3 id="${id}">${content}</h3>\n`;
}

function list({ items, ordered, start }: Tokens.List, link: Link): Html {
  const rows = items.map((item) => html`<li>${blocks(item.tokens, link)}</li>\n`);
  if (!ordered) return html`<ul>${rows}</ul>\n`;
  return html`<ol${start !== 1 && html` start="${start}"`}>${rows}</ol>\n`;
}

function table({ header, rows }: Tokens.Table, link: Link): Html {
  return html`<table><thead><tr>${header.map(({ tokens }) =>
    tokens.length === 0 ? html`<td></td>` : html`<th scope="col">${inline(tokens, link)}</th>`,
  )}</tr></thead><tbody>${rows.map(
    (row) => html`<tr>${row.map(({ tokens }) => html`<td>${inline(tokens, link)}</td>`)}</tr>\n`,
  )}</tbody></table>\n`;
}

function inline(tokens: readonly Token[] = [], link: Link): Html {
  return html`${tokens.map((token) => span(token as Tokens.Generic, link))}`;
}

function span(token: Tokens.Generic, link: Link): HtmlValue {
  switch (token.type) {
    case 'text':
    case 'escape':
      return token.tokens === undefined ? token['text'] : inline(token.tokens, link);
    case 'codespan':
      return html`<code>${token['text']}</code>`;
    case 'strong':
      return html`<strong>${inline(token.tokens, link)}</strong>`;
    case 'em':
      return html`<em>${inline(token.tokens, link)}</em>`;
    case 'br':
      return html`<br>`;
    case 'html':
      return token['text'];
    case 'link': {
      const address = link(String(token['href']));
      const content = inline(token.tokens, link);
      return address === undefined ? content : html`<a href="${address}">${content}</a>`;
    }
    default:
      throw new Error(`A document has ${token.type}, which pages do not show`);
  }
}
