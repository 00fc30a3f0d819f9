import type { FastifyReply } from 'fastify';
import type { Organization } from '#src/directory/organizations/organization.js';
import { brand, brandSources } from './brand.js';
import { type Html, type HtmlValue, html, inlineElement, sendPage } from './html.js';
import type { Language } from './language.js';
import { stylesheetPath } from './stylesheet.js';

export interface PageContent {
  readonly title: string;
  /** The text under the title. */
  readonly subtitle?: string | undefined;
  readonly content: HtmlValue;
  /** What went wrong. Screen readers read it at once. */
  readonly alert?: string | undefined;
  /** What went well. */
  readonly notice?: string | undefined;
  readonly isWide?: boolean;
  /**
   * The one script of the page. Its source is a constant of this project. It may send requests to this
   * service.
   */
  readonly script?: string;
}

export interface PageLook {
  readonly baseUrl: string;
  readonly language: Language;
  readonly organization?: Organization | undefined;
  /** Where redirects after the page's forms may lead. Browsers apply the page's policy to them too. */
  readonly redirectUri?: string | undefined;
}

/** Sends a page in the look of the organization. The caller sets the status. */
export function showPage(reply: FastifyReply, look: PageLook, page: PageContent): FastifyReply {
  return sendPage(reply, wholePage(look, page), {
    ...(look.redirectUri !== undefined && { formTargets: [look.redirectUri] }),
    imageSources: brandSources(look.organization),
    ...(page.script !== undefined && { script: page.script, connects: true }),
  });
}

function wholePage({ baseUrl, language, organization }: PageLook, page: PageContent): Html {
  const { title, subtitle, content, alert, notice, isWide, script } = page;
  return html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}${organization && ` · ${organization.name}`}</title>
<link rel="stylesheet" href="${baseUrl}${stylesheetPath}">
</head>
<body>
<main${isWide === true && html` class="wide"`}>
${organization && brand(organization)}
<h1>${title}</h1>
${subtitle !== undefined && html`<p class="soft">${subtitle}</p>`}
${alert !== undefined && html`<div class="alert" role="alert">${alert}</div>`}
${notice !== undefined && html`<div class="notice" role="status">${notice}</div>`}
${content}
</main>
${script !== undefined && inlineElement('script', script)}
</body>
</html>
`;
}
