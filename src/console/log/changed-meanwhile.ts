import { type Html, type HtmlValue, html } from '#src/http/pages/html.js';
import { facts, moment } from '../http/parts.js';
import { type ConsoleVisit, param } from '../http/visit.js';
import { describeEvent } from './describe-event.js';
import { type FoundEvents, namesIn } from './event-list.js';

const mostShown = 5;

/**
 * What somebody else changed since a form was shown: when and what, in the words of the log, and the values that are stored now. It stands beside
 * what the person typed.
 */
export async function changedMeanwhile(
  visit: ConsoleVisit,
  { id, version, stored }: { id: string; version: number; stored: readonly (readonly [string, HtmlValue])[] },
): Promise<Html> {
  const { language } = visit;
  const t = visit.t.changedMeanwhile;
  const search = { aggregateId: id, resourceOwner: param(visit, 'orgId'), limit: 50, names: true };
  const found = await visit.api.send<FoundEvents>('POST', '/admin/v1/events/_search', search);
  const since = found.events.filter(({ sequence }) => sequence > version).slice(0, mostShown);
  const nameOf = namesIn(visit, found);
  return html`<p><strong>${t.text}</strong> ${t.sendAgain}</p>
<ul>${since.map((event) => html`<li>${moment(event.creationDate, language)}: ${describeEvent(event, language, nameOf)}</li>`)}</ul>
<p>${t.storedNow}</p>${facts(stored)}`;
}
