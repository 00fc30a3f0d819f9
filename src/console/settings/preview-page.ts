import { linkContrast } from '#src/http/pages/brand-colors.js';
import { filled, type Html, html } from '#src/http/pages/html.js';
import { showPage } from '#src/http/pages/page-frame.js';
import type { ColorScheme } from '#src/http/pages/palette.js';
import type { Sent } from '../http/respond.js';
import { type ConsoleVisit, queryText } from '../http/visit.js';
import { organizationOf, type ShownOrganization } from '../resources/organization-of.js';
import { settingsTexts } from './texts/texts.js';

/** The sign-in page of the organization, in light or in dark, for a frame of the settings. Nothing in it can be used. */
export async function previewPage(visit: ConsoleVisit): Promise<Sent> {
  const { name, login } = await organizationOf(visit);
  const { language, at, reply } = visit;
  const texts = settingsTexts[language];
  const scheme: ColorScheme = queryText(visit, 'scheme') === 'dark' ? 'dark' : 'light';
  const shown = asTyped(visit, login);
  const field = (label: string) => html`<div class="field"><label>${label}<input disabled></label></div>`;
  const content = html`<form inert>${field(texts.previewName)}${field(texts.previewPassword)}
<button type="button" class="full" disabled>${texts.previewSignIn}</button></form>
<p class="center" inert><a href="#">${texts.previewForgot}</a></p>
${shown.brandColor !== undefined && contrastText(visit, shown.brandColor, scheme)}`;
  const look = { baseUrl: at(''), language, scheme, organization: { name, login: shown } };
  return { sent: showPage(reply, look, { title: texts.previewSignIn, content, framed: true }) };
}

/** How well links in the colour can be read, and which colour they have instead. */
function contrastText({ language }: ConsoleVisit, color: string, scheme: ColorScheme): Html {
  const { contrast, shown } = linkContrast(color, scheme);
  const texts = settingsTexts[language];
  // Never rounded up to a contrast that is enough.
  const ratio = (Math.floor(contrast * 10) / 10).toLocaleString(language);
  const sentence = shown === color ? texts.contrastEnough : texts.contrastAdapted;
  return html`<p class="hint">${filled(sentence, { color, ratio, shown })}</p>`;
}

/**
 * The look with what is typed, as far as it could be saved. Only the script of the settings says what is typed: another site cannot show
 * an owner a page of this service with a picture of its choice.
 */
function asTyped(visit: ConsoleVisit, login: ShownOrganization['login']): ShownOrganization['login'] {
  const { headers, query } = visit.request;
  if ((headers['sec-fetch-site'] ?? 'same-origin') !== 'same-origin') return login;
  const typed = (name: 'brandColor' | 'logoUrl', pattern: RegExp) => {
    if (!Object.hasOwn(query as object, name)) return login[name];
    const text = queryText(visit, name);
    if (text === '') return undefined;
    return text.length <= 2_000 && pattern.test(text) ? text : login[name];
  };
  const color = typed('brandColor', /^#[0-9a-f]{6}$/i)?.toLowerCase();
  const logoUrl = typed('logoUrl', /^https:\/\/[a-z0-9.-]+(:\d{1,5})?\/[^\s]*$/i);
  const { brandColor: _color, logoUrl: _logoUrl, ...others } = login;
  return {
    ...others,
    ...(color !== undefined && { brandColor: color }),
    ...(logoUrl !== undefined && URL.canParse(logoUrl) && { logoUrl }),
  };
}
