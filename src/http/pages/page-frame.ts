import type { Organization } from '#src/directory/organizations/organization.js';
import { brand, brandSources } from './brand.js';
import { type Html, html, inlineElement } from './html.js';
import type { Language } from './language.js';

/**
 * Readable at every width, in light and dark, with a contrast above 4.5:1, in the colours of the login pages.
 */
const style = `
:root{color-scheme:light dark;--ground:#eef1f6;--card:#fff;--ink:#1a2130;--soft:#515b6e;--accent:#2447c9;--onaccent:#fff}
@media(prefers-color-scheme:dark){:root{--ground:#10141c;--card:#1a202c;--ink:#eef1f7;--soft:#b3bccd;--accent:#9db4ff;--onaccent:#0d1530}}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;font:1rem/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif;background:var(--ground);color:var(--ink)}
main{max-width:27rem;margin:clamp(0rem,9vh,6rem) auto 2rem;padding:2.25rem;background:var(--card);border-radius:1rem;box-shadow:0 1px 2px rgb(16 24 40/.08),0 12px 32px rgb(16 24 40/.08)}
h1{margin:0 0 1rem;font-size:1.6rem;line-height:1.2;letter-spacing:-.01em;overflow-wrap:anywhere}
p,li{overflow-wrap:anywhere}
.brand{display:flex;align-items:center;gap:.75rem;margin:0 0 1.5rem;font-weight:600;color:var(--soft)}
.brand img{max-width:10rem;max-height:3rem;object-fit:contain}
.brand .mark{flex:none;display:grid;place-items:center;width:2.25rem;height:2.25rem;border-radius:.6rem;background:var(--accent);color:var(--onaccent);font-weight:700}
.detail{color:var(--soft)}
a{color:var(--accent);text-underline-offset:.2em}
.buttons{display:flex;flex-wrap:wrap;gap:.75rem}
button,.button{display:inline-block;min-height:2.9rem;padding:.5rem 1.25rem;font:inherit;font-weight:600;border:1px solid var(--accent);border-radius:.6rem;background:var(--accent);color:var(--onaccent);cursor:pointer}
button.quiet{background:transparent;color:inherit;border-color:#7d8798}
:focus-visible{outline:3px solid #d97706;outline-offset:2px}
@media(max-width:34rem){body{background:var(--card)}main{margin:0;padding:1.5rem 1.25rem;border-radius:0;box-shadow:none}}
@media(forced-colors:active){main{border:1px solid}}
`;

export interface PageParts {
  readonly language: Language;
  readonly title: string;
  readonly content: Html;
  /** The organization in whose look the page is shown, if it is known. */
  readonly organization?: Organization | undefined;
}

/** A whole page, and what its policy must allow. */
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
