import type { FastifyReply } from 'fastify';
import type { ConsoleForm } from '#src/http/base/route-facts.js';
import { longestRefusedPage } from '../drafts/refused-pages.store.js';
import type { ConsoleNeeds } from '../needs/needs.js';
import { withoutQuery } from './api.js';
import { type ConsolePage, respond, type Sent, sendText, statusOfPage, textOf } from './respond.js';
import { pageOfForm } from './returned-form.js';
import { type ConsoleVisit, queryText } from './visit.js';

type Deps = Pick<ConsoleNeeds, 'refusedPages'>;

/**
 * Answers a form with a page that says why it was refused. The browser is led to the address of that page (RFC 9110 section 15.4.4). The person
 * may reload it, and nothing is posted again. {@link showRefusedPage} shows it there.
 */
export async function refuseConsoleForm(
  { refusedPages }: Deps,
  visit: ConsoleVisit,
  { form, page }: { form: ConsoleForm; page: ConsolePage },
): Promise<FastifyReply> {
  const text = textOf(visit, page);
  if (text.length > longestRefusedPage) return respond(visit, page);
  const address = pageOfForm(form, visit.request, true);
  const stored = { status: statusOfPage(page) ?? 400, imageSources: page.imageSources ?? [], text };
  // Without room in Redis the person sees the page as the answer to the form.
  const refused = await refusedPages
    .put(ownerOf(visit), { path: withoutQuery(address), ...stored })
    .catch(() => undefined);
  if (refused === undefined) return respond(visit, page);
  return respond(visit, { goTo: `${address}${address.includes('?') ? '&' : '?'}refused=${refused}` });
}

/** Sends the page that says why the form of this person was refused, if the address names it. */
export async function showRefusedPage(
  { refusedPages }: Deps,
  visit: ConsoleVisit,
): Promise<Sent | undefined> {
  const secret = queryText(visit, 'refused');
  if (secret === '') return undefined;
  const page = await refusedPages.find(ownerOf(visit), secret);
  if (page?.path !== withoutQuery(visit.request.url)) return undefined;
  return { sent: sendText(visit.reply.code(page.status), page.text, page.imageSources) };
}

/** Whose page it is: a person with these roles, in a session whose forms it has. */
function ownerOf({ me, session }: ConsoleVisit): string {
  return JSON.stringify([me.userId, session.secret, me.roles]);
}
