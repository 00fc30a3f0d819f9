import { html } from '#src/http/pages/html.js';
import { noticeOf } from '../http/notice-of.js';
import { badge, countLine, emptyList, moment, pager, table } from '../http/parts.js';
import type { ConsolePage } from '../http/respond.js';
import { linkTo } from '../http/segments.js';
import { type ConsoleVisit, queryText } from '../http/visit.js';
import type { ShownApplication } from '../resources/application.js';
import { apiOf, organizationOf, pathOf } from '../resources/organization-of.js';
import { applicationsTexts } from './texts/texts.js';

/** The applications of an organization, a page at a time. */
export async function applicationsPage(visit: ConsoleVisit): Promise<ConsolePage> {
  const { at, language, t, api } = visit;
  const own = applicationsTexts[language];
  const after = queryText(visit, 'after');
  const [organization, { items, next, total }] = await Promise.all([
    organizationOf(visit),
    api.get<{ items: readonly ShownApplication[]; next?: string; total: number }>(
      apiOf(visit, '/applications'),
      { after, includeTotal: true },
    ),
  ]);
  const path = pathOf(visit, '/applications');
  const add = { href: at(`${path}/new`), label: own.add };
  const rows = items.map(({ id, name, type, active, created }) => [
    linkTo(visit, [path, id], name),
    own[`type_${type}`],
    active ? badge(t.active, 'good') : badge(t.inactive, 'bad'),
    moment(created, language),
  ]);
  return {
    title: t.nav.applications,
    subtitle: own.about,
    organization,
    actions: html`<a class="button" href="${add.href}">${add.label}</a>`,
    content: html`${
      rows.length === 0
        ? emptyList(own.none, add)
        : html`${countLine(visit, { total })}${table({ caption: t.nav.applications, columns: [t.name, own.type, own.state, t.created], rows })}`
    }${pager({ t, first: after === '' ? undefined : at(path), next: next === undefined ? undefined : at(path, { after: next }) })}`,
    ...noticeOf(visit, queryText(visit, 'done')),
  };
}
