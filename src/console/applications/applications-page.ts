import { type Html, html } from '#src/http/pages/html.js';
import { choosingSeveral, severalBox, severalColumn, severalNotice } from '../choosing/several.js';
import { field, select } from '../http/form.js';
import { noticeOf } from '../http/notice-of.js';
import { badge, countLine, emptyList, moment, pager, table } from '../http/parts.js';
import type { ConsolePage } from '../http/respond.js';
import { searchForm } from '../http/search-form.js';
import { linkTo } from '../http/segments.js';
import { type ConsoleVisit, queryText } from '../http/visit.js';
import type { ShownApplication } from '../resources/application.js';
import { apiOf, organizationOf, pathOf } from '../resources/organization-of.js';
import { severalApplications } from './several-applications.js';
import { applicationsTexts } from './texts/texts.js';

/** The orders of applications that an index has. */
const orders = ['name asc', 'created desc', 'created asc'] as const;
const pageSize = 50;
/** Longer searches than the API takes are cut. */
const maxSearch = 200;

interface FoundApplications {
  readonly items: readonly ShownApplication[];
  readonly next?: string;
  readonly total?: number;
}

/** The applications of an organization, which a person searches while typing. */
export async function applicationsPage(visit: ConsoleVisit): Promise<ConsolePage> {
  const { at, language, t, api } = visit;
  const texts = applicationsTexts[language];
  const search = queryText(visit, 'search').slice(0, maxSearch);
  const active = ['true', 'false'].find((value) => value === queryText(visit, 'active')) ?? '';
  const after = queryText(visit, 'after');
  const order = orders.find((one) => one === queryText(visit, 'sort')) ?? orders[0];
  const sort = order === orders[0] ? '' : order;
  const [sortField, direction] = order.split(' ');
  const isNarrowed = search.trim() !== '' || active !== '';
  const [organization, { items, next, total }] = await Promise.all([
    organizationOf(visit),
    api.get<FoundApplications>(apiOf(visit, '/applications'), {
      search: search.trim(),
      ...(active !== '' && { active }),
      ...(after !== '' && { after }),
      sort: sortField,
      order: direction,
      limit: pageSize,
      includeTotal: true,
    }),
  ]);
  const path = pathOf(visit, '/applications');
  const add = { href: at(`${path}/new`), label: texts.add };
  const done = queryText(visit, 'done');
  const notice = severalNotice(visit, severalApplications, done);
  const found = html`${countLine(visit, { total, isSearch: isNarrowed })}${choosingSeveral(visit, severalApplications, applicationsTable(visit, items))}`;
  return {
    title: t.nav.applications,
    subtitle: texts.about,
    organization,
    actions: html`<a class="button" href="${add.href}">${add.label}</a>`,
    content: searchForm(visit, {
      path,
      fields: html`${field({ name: 'search', type: 'search', label: texts.searchLabel, value: search, maxLength: maxSearch })}
${select({
  name: 'active',
  label: texts.state,
  value: active,
  choices: [
    { value: '', label: texts.all },
    { value: 'true', label: t.active },
    { value: 'false', label: t.inactive },
  ],
})}
${select({
  name: 'sort',
  label: t.sortedBy,
  value: sort,
  choices: [
    { value: '', label: t.name },
    { value: orders[1], label: t.newestFirst },
    { value: orders[2], label: t.oldestFirst },
  ],
})}`,
      results: html`${items.length > 0 ? found : isNarrowed ? emptyList(texts.noMatch) : emptyList(texts.none, add)}${pager(
        {
          t,
          first: after === '' ? undefined : at(path, { search, active, sort }),
          next: next === undefined ? undefined : at(path, { search, active, sort, after: next }),
        },
      )}`,
    }),
    ...noticeOf(visit, done),
    ...(notice !== undefined && { notice }),
  };
}

function applicationsTable(visit: ConsoleVisit, applications: readonly ShownApplication[]): Html {
  const { language, t } = visit;
  const texts = applicationsTexts[language];
  const path = pathOf(visit, '/applications');
  return table({
    caption: t.nav.applications,
    columns: [severalColumn(visit), t.name, texts.type, texts.state, t.created],
    rows: applications.map(({ id, name, type, active, created }) => [
      severalBox(visit, { id, name }),
      linkTo(visit, [path, id], name),
      texts[`type_${type}`],
      active ? badge(t.active, 'good') : badge(t.inactive, 'bad'),
      moment(created, language),
    ]),
  });
}
