import type { FastifyReply } from 'fastify';
import type { Organization } from '#src/directory/index.js';
import type { Language } from '../base/language.js';
import { iconPath } from './asset.routes.js';
import { type Branded, brand, brandOptions, serviceMark } from './brand.js';
import { copyPath, hasCopies } from './copy.js';
import { type Html, type HtmlValue, html, inlineElement, type PageOptions, sendPage } from './html.js';
import { hasTimes, inTimeZone, localTimesPath } from './moment.js';
import type { ColorScheme } from './palette.js';
import { hasPasskeys, passkeyPath } from './passkey-script.js';
import { revealMarker, revealScript } from './reveal-password.js';
import { stylesheetPath } from './stylesheet.js';

/** How a page looks: whose it is, and its language. */
export interface PageLook {
  /** The address of this service. */
  readonly baseUrl: string;
  readonly language: Language;
  /** The organization in whose look the page is shown, if it is known. */
  readonly organization?: Organization | undefined;
  /** The time zone of the person's profile. Without one, the browser's is used. */
  readonly timeZone?: string | undefined;
}

/** The look of any page, such as a preview. */
interface AnyLook extends Omit<PageLook, 'organization'> {
  readonly organization?: Branded | undefined;
  /** Shows the page in light or in dark. Without it, the browser chooses. */
  readonly scheme?: ColorScheme;
}

/** What a page says, and what it may do besides being shown. */
export interface PageContent extends Omit<PageOptions, 'imageSources' | 'style'> {
  readonly title: string;
  /** The text under the title. */
  readonly subtitle?: HtmlValue;
  readonly content: HtmlValue;
  /** What went wrong. Screen readers read it at once. */
  readonly alert?: string | undefined;
  /** What went well. */
  readonly notice?: string | undefined;
  readonly isWide?: boolean;
}

/** Sends a page in the look of the organization. The caller sets the status. */
export function showPage(reply: FastifyReply, look: AnyLook, content: PageContent): FastifyReply {
  const { page, ...options } = pageFrame(look, content);
  return sendPage(reply, page, options);
}

/** A whole page, and what its policy must allow. Use {@link showPage} if you can. */
function pageFrame(look: AnyLook, content: PageContent): { page: Html } & PageOptions {
  const { leadsAway, connects, frames, framed, namesOrigin } = content;
  const script = scriptOf(content);
  const markup = html`${content.content}`;
  const scripts = asksForZone(look, content) || hasCopies(markup) || hasPasskeys(markup);
  const ofBrand = brandOptions(look.organization, look.scheme);
  return {
    page: inTimeZone(wholePage(look, { ...content, style: ofBrand.style, script }), look),
    ...ofBrand,
    ...(leadsAway && { leadsAway }),
    ...(connects && { connects }),
    ...(frames && { frames }),
    ...(framed && { framed }),
    ...(namesOrigin && { namesOrigin }),
    ...(script !== undefined && { script }),
    ...(scripts && { scripts }),
  };
}

/** The one script of the page: its own, and that of its fields for passwords. */
function scriptOf({ script, content }: PageContent): string | undefined {
  const hasSecrets = html`${content}`.toString().includes(revealMarker);
  const scripts = [...(script === undefined ? [] : [script]), ...(hasSecrets ? [revealScript] : [])];
  return scripts.length === 0 ? undefined : scripts.join('\n');
}

/** Whether the page has times, and only the browser knows their zone. */
function asksForZone(
  { timeZone }: AnyLook,
  { subtitle, content }: Pick<PageContent, 'subtitle' | 'content'>,
): boolean {
  return timeZone === undefined && hasTimes(html`${subtitle}${content}`);
}

interface Inline {
  readonly script: string | undefined;
  readonly style: string | undefined;
}

function wholePage(look: AnyLook, page: Omit<PageContent, 'script'> & Inline): Html {
  const { baseUrl, language, organization } = look;
  const { title, subtitle, content, alert, notice, isWide, script, style } = page;
  return html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}${organization && ` · ${organization.name}`}</title>
<link rel="stylesheet" href="${baseUrl}${stylesheetPath}">
<link rel="icon" href="${organization?.login.faviconUrl ?? `${baseUrl}${iconPath}`}">
${style !== undefined && inlineElement('style', style)}
${asksForZone(look, page) && html`<script src="${baseUrl}${localTimesPath}" defer></script>`}
${hasCopies(html`${content}`) && html`<script src="${baseUrl}${copyPath}" defer></script>`}
${hasPasskeys(html`${content}`) && html`<script src="${baseUrl}${passkeyPath}" defer></script>`}
</head>
<body>
<main${isWide === true && html` class="wide"`}>
${organization === undefined ? serviceMark : brand(organization)}
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
