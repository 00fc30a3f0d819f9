import { iconPath } from '../pages/asset.routes.js';
import { type Html, type HtmlValue, html } from '../pages/html.js';
import { stylesheetPath } from '../pages/stylesheet.js';
import { referencePath, schemasAddress, tagAddress, titleOf } from './addresses.js';
import type { ReferenceDocument } from './reference-document.js';
import { referenceStylesheetPath } from './reference-stylesheet.js';

/** A whole page of the reference: the links to all sections, then the content. It is in English, as the document is. */
export function referenceFrame(
  document: ReferenceDocument,
  { title, current, content }: { title: string; current?: string; content: HtmlValue },
): Html {
  const { baseUrl, tags } = document;
  const start = `${baseUrl}${referencePath}`;
  const sections = [
    { address: start, label: 'All operations' },
    ...tags.map(({ name }) => ({ address: tagAddress(document, name), label: titleOf(name) })),
    { address: schemasAddress(document), label: 'Schemas' },
  ];
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title} · Muster API</title>
<link rel="stylesheet" href="${baseUrl}${stylesheetPath}">
<link rel="stylesheet" href="${baseUrl}${referenceStylesheetPath}">
<link rel="icon" href="${baseUrl}${iconPath}">
</head>
<body>
<main class="wide reference">
<nav class="sections" aria-label="Sections"><ul>${sections.map(
    ({ address, label }) =>
      html`<li><a href="${address}"${address === (current ?? start) && html` aria-current="page"`}>${label}</a></li>`,
  )}</ul></nav>
<article>
<h1>${title}</h1>
${content}
</article>
</main>
</body>
</html>
`;
}
