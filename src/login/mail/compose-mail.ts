import type { Organization } from '#src/directory/index.js';
import type { Language } from '#src/http/base/language.js';
import { initialOf } from '#src/http/pages/brand.js';
import { brandPalette } from '#src/http/pages/brand-colors.js';
import { type Html, html } from '#src/http/pages/html.js';
import { palettes } from '#src/http/pages/palette.js';
import type { Mail } from './mail.js';
import { mailTexts } from './texts/texts.js';

/** What a mail says, from top to bottom. */
interface MailContent {
  readonly subject: string;
  readonly text: string;
  /** What the text announces, one line each. */
  readonly items?: readonly string[];
  readonly link?: { readonly label: string; readonly address: string };
  readonly code?: string;
  readonly notes: readonly string[];
}

/** How a mail looks. */
export interface MailLook {
  readonly language: Language;
  /** The host of this service. */
  readonly host: string;
  /** The organization of the receiver. Absent if the receiver may be a stranger. */
  readonly organization?: Organization;
}

/** Longest name of an organization in a mail, in characters. */
const maxName = 60;

/**
 * The name of an organization for a mail. Mail programs make links of texts such as `evil.example`, so an invisible space breaks
 * them.
 */
export function nameInMail({ name }: Pick<Organization, 'name'>): string {
  const characters = Array.from(name);
  const cut = characters.length > maxName ? `${characters.slice(0, maxName - 1).join('')}…` : name;
  return cut.replace(/[.:/@](?=\S)/g, '$&\u200b');
}

/** A mail as text and as HTML. Neither loads anything from elsewhere. */
export function composeMail(look: MailLook, content: MailContent): Omit<Mail, 'to'> {
  return { subject: content.subject, text: asText(look, content), html: asHtml(look, content).toString() };
}

function asText({ language, host }: MailLook, { text, items = [], link, code, notes }: MailContent): string {
  const { hello, sentBy } = mailTexts[language];
  const list = items.length === 0 ? undefined : items.map((item) => `- ${item}`).join('\n');
  const middle = [list, link?.address, code].filter((part) => part !== undefined);
  return `${[hello, text, ...middle, notes.join('\n'), `-- \n${sentBy(host)}`].join('\n\n')}\n`;
}

function asHtml({ language, host, organization }: MailLook, parts: MailContent): Html {
  const { hello, orOpen, sentBy } = mailTexts[language];
  const { subject, text, items = [], link, code, notes } = parts;
  const { ground, card, ink, soft, line } = palettes.light;
  const { brandColor = palettes.light.fill } = organization?.login ?? {};
  const { accent, fill, onfill, filledge } = brandPalette(brandColor, 'light');
  const box = `background:${fill};color:${onfill};border:1px solid ${filledge}`;
  return html`<!doctype html>
<html lang="${language}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light"><title>${subject}</title></head>
<body style="margin:0;padding:32px 12px;background:${ground};color:${ink};font:16px/1.5 system-ui,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif">
<table role="presentation" width="100%" cellspacing="0" cellpadding="0"><tr><td align="center">
<table role="presentation" width="100%" cellspacing="0" cellpadding="0" style="max-width:480px;background:${card};border:1px solid ${line};border-radius:14px"><tr><td style="padding:32px;overflow-wrap:anywhere">
${
  organization &&
  html`<p style="margin:0 0 24px;font-weight:600"><span style="display:inline-block;width:36px;height:36px;margin-right:12px;border-radius:9px;line-height:36px;text-align:center;vertical-align:middle;${box}">${initialOf(organization.name)}</span>${nameInMail(organization)}</p>`
}
<h1 style="margin:0 0 16px;font-size:22px;line-height:1.3">${subject}</h1>
<p style="margin:0 0 12px">${hello}</p>
<p style="margin:0 0 24px">${text}</p>
${
  items.length > 0 &&
  html`<ul style="margin:0 0 24px;padding:0 0 0 20px">${items.map((item) => html`<li style="margin:0 0 8px">${item}</li>`)}</ul>`
}
${
  link &&
  html`<p style="margin:0 0 24px"><a href="${link.address}" style="display:inline-block;padding:12px 22px;border-radius:9px;font-weight:600;text-decoration:none;${box}">${link.label}</a></p>
<p style="margin:0 0 24px;font-size:14px;color:${soft}">${orOpen}<br><a href="${link.address}" style="color:${accent}">${link.address}</a></p>`
}
${
  code !== undefined &&
  html`<p style="margin:0 0 24px;padding:14px;border-radius:9px;background:${ground};text-align:center;font:600 24px/1.3 ui-monospace,Menlo,Consolas,monospace;letter-spacing:2px">${code}</p>`
}
${notes.map((note) => html`<p style="margin:0 0 8px;font-size:14px;color:${soft}">${note}</p>`)}
</td></tr></table>
<p style="margin:16px 0 0;font-size:13px;color:${soft}">${sentBy(host)}</p>
</td></tr></table>
</body>
</html>
`;
}
