import { iconPath } from '../pages/asset.routes.js';
import { copyPath } from '../pages/copy.js';
import { type Html, type HtmlValue, html } from '../pages/html.js';
import { stylesheetPath } from '../pages/stylesheet.js';
import { documentStylesheetPath } from './document-stylesheet.js';

/** A page of a document: what it says, and the links beside it. */
export interface FrameOptions {
  readonly baseUrl: string;
  readonly title: string;
  /** What the document belongs to. It stands behind the title. */
  readonly of: string;
  readonly sections: readonly { readonly address: string; readonly label: string }[];
  /** The address of the section that is shown. */
  readonly current: string | undefined;
  readonly content: HtmlValue;
  /** The class of the content. */
  readonly kind?: 'guide';
}

/** A whole page of a document: the links to all sections, then the content. It is in English, as every document is. */
export function documentFrame(options: FrameOptions): Html {
  const { baseUrl, title, of, sections, current, content, kind } = options;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title} · ${of}</title>
<link rel="stylesheet" href="${baseUrl}${stylesheetPath}">
<link rel="stylesheet" href="${baseUrl}${documentStylesheetPath}">
<link rel="icon" href="${baseUrl}${iconPath}">
<script src="${baseUrl}${copyPath}" defer></script>
</head>
<body>
<main class="wide document">
<nav class="sections" aria-label="Sections"><ul>${sections.map(
    ({ address, label }) =>
      html`<li><a href="${address}"${address === current && html` aria-current="page"`}>${label}</a></li>`,
  )}</ul></nav>
<article${kind !== undefined && html` class="${kind}"`}>
<h1>${title}</h1>
${content}
</article>
</main>
</body>
</html>
`;
}
