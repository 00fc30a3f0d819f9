import { type Html, html } from '#src/http/pages/html.js';
import { emptyList, pager } from '../http/parts.js';
import type { ConsolePage } from '../http/respond.js';
import { pathTo } from '../http/segments.js';
import { type ConsoleVisit, queryText } from '../http/visit.js';
import { eventList, type FoundEvents } from '../log/event-list.js';
import { usersTexts } from './texts/texts.js';
import { type UserOfPath, userOfPath, userPage } from './user.js';

const pageSize = 25;

/** What happened to the user, and what the user did, the newest first. */
export async function logTab(visit: ConsoleVisit): Promise<ConsolePage> {
  const { log } = usersTexts[visit.language];
  const subject = await userOfPath(visit);
  const { id } = subject.user;
  const [about, by] = await Promise.all([
    eventsOf(visit, subject, { condition: { aggregateId: id }, cursor: 'about' }),
    eventsOf(visit, subject, { condition: { editorUserId: id }, cursor: 'by' }),
  ]);
  return userPage(visit, subject, {
    tab: 'log',
    content: html`<section><h2>${log.aboutUser}</h2>${about}</section>
<section class="next"><h2>${log.byUser}</h2>${by}</section>`,
  });
}

/** One list. Each list goes on by a cursor of its own. */
async function eventsOf(
  visit: ConsoleVisit,
  { organization, path }: UserOfPath,
  { condition, cursor }: { condition: object; cursor: 'about' | 'by' },
): Promise<Html> {
  const { api, at, language, t } = visit;
  const position = queryText(visit, cursor).slice(0, 100);
  const found = await api.send<FoundEvents>('POST', '/admin/v1/events/_search', {
    ...condition,
    resourceOwner: organization.id,
    cursor: position,
    limit: pageSize,
    names: true,
  });
  if (found.events.length === 0 && position === '') return emptyList(usersTexts[language].log.none);
  const other = cursor === 'about' ? 'by' : 'about';
  const query = { [other]: queryText(visit, other) };
  const { nextCursor } = found;
  return html`${eventList(visit, found, { path: `${pathTo('/console/orgs', organization.id)}/log`, ofInstance: false })}${pager(
    {
      t,
      first: position === '' ? undefined : at(`${path}/log`, query),
      next: nextCursor === undefined ? undefined : at(`${path}/log`, { ...query, [cursor]: nextCursor }),
    },
  )}`;
}
