import { type Html, type HtmlValue, html } from '#src/http/pages/html.js';
import { facts, moment } from '../http/parts.js';
import { type ConsoleVisit, param } from '../http/visit.js';
import { nameOfUser } from '../resources/name-of-user.js';

interface Events {
  readonly events: readonly {
    readonly editor: { readonly userId: string };
    readonly sequence: number;
    readonly creationDate: string;
    readonly type: string;
    readonly payload: Readonly<Record<string, unknown>>;
  }[];
}

const mostShown = 5;

/**
 * What somebody else changed since a form was shown: when, who and what, and the values that are stored now. It stands beside what
 * the person typed.
 */
export async function changedMeanwhile(
  visit: ConsoleVisit,
  { id, version, stored }: { id: string; version: number; stored: readonly (readonly [string, HtmlValue])[] },
): Promise<Html> {
  const t = visit.t.changedMeanwhile;
  const search = { aggregateId: id, resourceOwner: param(visit, 'orgId'), limit: 50 };
  const { events } = await visit.api.send<Events>('POST', '/admin/v1/events/_search', search);
  const since = events.filter(({ sequence }) => sequence > version).slice(0, mostShown);
  const editors = new Map<string, string>();
  for (const { editor } of since) {
    if (editors.has(editor.userId)) continue;
    editors.set(editor.userId, (await nameOfUser(visit, editor.userId))?.name ?? editor.userId);
  }
  return html`<p><strong>${t.text}</strong> ${t.sendAgain}</p>
<ul>${since.map(
    ({ editor, creationDate, type, payload }) =>
      html`<li>${moment(creationDate, visit.language)}: ${editors.get(editor.userId)}, <code>${type}</code> ${attributesOf(payload)}</li>`,
  )}</ul>
<p>${t.storedNow}</p>${facts(stored)}`;
}

function attributesOf({ attributes }: Readonly<Record<string, unknown>>): string {
  return Array.isArray(attributes) ? attributes.map(String).join(', ') : '';
}
