import type { Organization } from '#src/directory/organization.js';
import { brand, brandSources } from './brand.js';
import { type Html, html, inlineElement } from './html.js';
import type { Language } from './language.js';

/** Readable at every width, in light and dark, with contrast above 7:1. */
const style = `
:root{color-scheme:light dark}
body{margin:0;font:1rem/1.5 system-ui,sans-serif;background:#f3f4f6;color:#1f2430}
main{box-sizing:border-box;max-width:26rem;margin:12vh auto 2rem;padding:2rem;background:#fff;border:1px solid #c9cdd6;border-radius:.75rem}
h1{margin:0 0 1rem;font-size:1.5rem;line-height:1.25}
.brand{display:flex;align-items:center;gap:.75rem;margin:0 0 1.5rem;font-weight:600;color:#414857;overflow-wrap:anywhere}
.brand img{max-width:10rem;max-height:3rem;object-fit:contain}
.brand .mark{flex:none;display:grid;place-items:center;width:2.25rem;height:2.25rem;border-radius:.6rem;background:#1d4ed8;color:#fff}
.detail{overflow-wrap:anywhere;color:#414857}
button,.button{display:inline-block;min-height:2.75rem;padding:.5rem 1.25rem;font:inherit;font-weight:600;border:1px solid #1d4ed8;border-radius:.5rem;background:#1d4ed8;color:#fff;cursor:pointer}
button.quiet{background:transparent;color:inherit;border-color:#6b7280}
:focus-visible{outline:3px solid #f59e0b;outline-offset:2px}
@media(max-width:30rem){main{margin:0;min-height:100vh;border:0;border-radius:0}}
@media(prefers-color-scheme:dark){body{background:#12151c;color:#eef0f4}main{background:#1b202b;border-color:#3a4150}.detail,.brand{color:#c3c9d6}}
`;

export interface PageParts {
  readonly language: Language;
  readonly title: string;
  readonly content: Html;
  /** Whose page it is, where that is known. */
  readonly organization?: Organization | undefined;
}

/** A whole page, and what the page's policy must allow for it. */
export function pageFrame({ language, title, content, organization }: PageParts): {
  page: Html;
  style: string;
  imageSources: string[];
} {
  const page = html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}${organization && ` · ${organization.name}`}</title>
${inlineElement('style', style)}
</head>
<body>
<main>
${organization && brand(organization)}
<h1>${title}</h1>
${content}
</main>
</body>
</html>
`;
  return { page, style, imageSources: brandSources(organization) };
}
