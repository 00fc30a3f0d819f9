import { type Html, html } from '#src/http/pages/html.js';
import { emptyList, moment, pager, table } from '../http/parts.js';
import type { ConsolePage } from '../http/respond.js';
import { type ConsoleVisit, queryText } from '../http/visit.js';
import { type LoggedEvent, type LoggedEvents, nameOf } from './logged-events.js';
import { usersTexts } from './texts.js';
import { type UserPlace, userOfPath, userPage } from './user.js';

const pageSize = 25;

/** What happened to the user, and what the user did, the newest first. */
export async function logTab(visit: ConsoleVisit): Promise<ConsolePage> {
  const { log } = usersTexts[visit.language];
  const place = await userOfPath(visit);
  const [about, by] = await Promise.all([
    eventsOf(visit, place, { condition: { aggregateId: place.user.id }, cursor: 'about' }),
    eventsOf(visit, place, { condition: { editorUserId: place.user.id }, cursor: 'by' }),
  ]);
  return userPage(visit, place, {
    tab: 'log',
    content: html`<section><h2>${log.aboutUser}</h2>${about}</section>
<section class="next"><h2>${log.byUser}</h2>${by}</section>`,
  });
}

/** One list. Each list goes on by a cursor of its own. */
async function eventsOf(
  visit: ConsoleVisit,
  { organization, path }: UserPlace,
  { condition, cursor }: { condition: object; cursor: 'about' | 'by' },
): Promise<Html> {
  const { api, at, language, t } = visit;
  const { log, signIn } = usersTexts[language];
  const position = queryText(visit, cursor);
  const { events, nextCursor } = await api.send<LoggedEvents>('POST', '/admin/v1/events/_search', {
    ...condition,
    resourceOwner: organization.id,
    cursor: position,
    limit: pageSize,
  });
  if (events.length === 0 && position === '') return emptyList(log.none);
  const editors = [...new Map(events.map(({ editor }) => [editor.userId, editor])).values()];
  const names = new Map(
    await Promise.all(
      editors.map(async (editor) => [editor.userId, await nameOf(visit, organization.id, editor)] as const),
    ),
  );
  const other = cursor === 'about' ? 'by' : 'about';
  const query = { [other]: queryText(visit, other) };
  const columns = [signIn.time, log.what, cursor === 'about' ? log.by : log.object];
  return html`${table({
    caption: cursor === 'about' ? log.aboutUser : log.byUser,
    columns,
    rows: events.map((event) => [
      moment(event.creationDate, language),
      html`<code>${event.type}</code>`,
      cursor === 'about' ? editorOf(event, names) : objectOf(event),
    ]),
  })}${pager({
    t,
    first: position === '' ? undefined : at(`${path}/log`, query),
    next: nextCursor === undefined ? undefined : at(`${path}/log`, { ...query, [cursor]: nextCursor }),
  })}`;
}

function editorOf({ editor }: LoggedEvent, names: ReadonlyMap<string, string>): Html {
  return html`${names.get(editor.userId)} <span class="soft">${editor.service}</span>`;
}

function objectOf({ aggregate }: LoggedEvent): Html {
  return html`${aggregate.type} <code>${aggregate.id}</code>`;
}
