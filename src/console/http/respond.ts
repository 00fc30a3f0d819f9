import type { FastifyReply } from 'fastify';
import { type Html, type HtmlValue, html, sendPage, withoutTraces } from '#src/http/pages/html.js';
import { inTimeZone, localTimesPath } from '#src/http/pages/moment.js';
import { iconPath, scriptPath, stylesheetPath } from './assets.js';
import { returnedId } from './form.js';
import { labelOfForm } from './form-label.js';
import { navigation } from './navigation.js';
import type { ConsoleVisit } from './visit.js';

/** A page of the console. */
export interface ConsolePage {
  readonly title: string;
  readonly subtitle?: HtmlValue;
  readonly content: HtmlValue;
  /** The organization to which the page belongs. */
  readonly organization?: { readonly id: string; readonly name: string };
  /** The places above this page, the highest first. */
  readonly crumbs?: readonly { readonly href: string; readonly label: string }[];
  /** Links beside the title, such as "Add". */
  readonly actions?: HtmlValue;
  /** What went wrong. Screen readers read it at once. */
  readonly alert?: HtmlValue;
  /** What went well. */
  readonly notice?: HtmlValue;
  readonly status?: number;
  /** What the person is about to do at this page, as a sentence. Without it, the title says it. */
  readonly act?: string;
  /** Without JavaScript, the browser loads the page again after so many seconds. */
  readonly refreshSeconds?: number | undefined;
  /** Other places from which the page shows pictures. */
  readonly imageSources?: readonly string[];
}

/** A redirect that ends a form, so that reloading posts nothing again. `done` names a text that the next page shows. */
export interface GoTo {
  /** A path, with a query if there is one. */
  readonly goTo: string;
}

/** A response that a handler has sent itself, such as a download. It cannot be a bare reply, because awaiting that waits for its end. */
export interface Sent {
  readonly sent: FastifyReply;
}

/** Sends a page in the frame of all pages, or a redirect. A response that the handler has sent stays as it is. */
export function respond(visit: ConsoleVisit, outcome: ConsolePage | GoTo | Sent): FastifyReply {
  if ('sent' in outcome) return outcome.sent;
  const { reply, at } = visit;
  if ('goTo' in outcome) return withoutTraces(reply).redirect(at(outcome.goTo), 303);
  if (outcome.status !== undefined) reply.code(outcome.status);
  return sendText(reply, textOf(visit, outcome), outcome.imageSources ?? []);
}

/** The text of a page in the frame of all pages. */
export function textOf(visit: ConsoleVisit, page: ConsolePage): string {
  return inTimeZone(wholePage(visit, page), visit).toString();
}

/** Sends the text of a page, as {@link textOf} made it. */
export function sendText(reply: FastifyReply, text: string, imageSources: readonly string[]): FastifyReply {
  // Every text is escaped, so only this service writes a tag.
  const frames = text.includes('<iframe ');
  const options = { scripts: true, connects: true, namesOrigin: true, imageSources, frames };
  return sendPage(reply, Buffer.from(text), options);
}

function wholePage(visit: ConsoleVisit, page: ConsolePage): Html {
  const { at, language, t } = visit;
  const {
    title,
    subtitle,
    content,
    crumbs = [],
    actions,
    alert,
    notice,
    organization,
    refreshSeconds,
  } = page;
  return html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="htmx-config" content='{"includeIndicatorCSS":false}'>
<title>${title}${organization && ` · ${organization.name}`} · Muster</title>
${refreshSeconds !== undefined && html`<noscript><meta http-equiv="refresh" content="${refreshSeconds}"></noscript>`}
<link rel="icon" href="${at(iconPath)}">
<link rel="stylesheet" href="${at(stylesheetPath)}">
<script src="${at(scriptPath)}" defer></script>
${visit.timeZone === undefined && html`<script src="${at(localTimesPath)}" defer></script>`}
</head>
<body>
<a class="skip" href="#main">${t.skip}</a>
${navigation(visit, organization)}
<main id="main">
${crumbs.length > 0 && html`<nav class="crumbs" aria-label="${t.whereAmI}">${crumbs.map(({ href, label }) => html`<a href="${href}">${label}</a>`)}</nav>`}
<header class="title"><div><h1>${title}</h1>${subtitle !== undefined && html`<p class="soft">${subtitle}</p>`}</div>${
    actions !== undefined && html`<div class="actions">${actions}</div>`
  }</header>
${alert !== undefined && html`<div class="alert" role="alert">${alert}</div>`}
${notice !== undefined && html`<div class="notice" role="status">${notice}</div>`}
${page.status === undefined && returnedNotice(visit, page)}
${content}
</main>
</body>
</html>
`;
}

/** Says which form from before the sign-in did nothing, by the label of its button, and what the person finds of it. */
function returnedNotice(visit: ConsoleVisit, page: ConsolePage): Html | undefined {
  const { draft, t } = visit;
  if (draft === undefined) return undefined;
  const { returned } = t;
  const { label, object } = labelOfForm(visit, page, draft.action);
  const notDone =
    label === undefined
      ? returned.nothing
      : html`${returned.notDone} <strong>${label}</strong>${object.length > 0 && ` (${object.join(' · ')})`}.`;
  const next =
    draft.typed === undefined
      ? returned.again
      : html`${returned.kept} <a href="#${returnedId}">${returned.toForm}</a>`;
  return html`<div class="notice pending" role="status"><p>${notDone} ${next}</p></div>`;
}
