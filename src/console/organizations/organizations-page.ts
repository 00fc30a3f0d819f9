import { html } from '#src/http/pages/html.js';
import { field } from '../http/form.js';
import { countLine, emptyList, exact, moment, pager, table } from '../http/parts.js';
import type { ConsolePage } from '../http/respond.js';
import { searchForm } from '../http/search-form.js';
import { segmentOf } from '../http/segments.js';
import { type ConsoleVisit, queryText } from '../http/visit.js';
import { organizationsTexts } from './texts/texts.js';

interface Organizations {
  readonly items: readonly { readonly id: string; readonly name: string; readonly created: string }[];
  readonly next?: string;
  readonly total: number;
}

/** The organizations of the instance in the order of names, a page at a time, by the beginning of the name. */
export async function organizationsPage(visit: ConsoleVisit): Promise<ConsolePage> {
  const { api, at, language, t } = visit;
  const texts = organizationsTexts[language];
  const [name, after] = ['name', 'after'].map((field) => queryText(visit, field)) as [string, string];
  // An empty name lists all by name. `withQuery` would leave it out.
  const path = `/admin/v1/orgs?${new URLSearchParams({ name, limit: '50', includeTotal: 'true', ...(after !== '' && { after }) })}`;
  const { items, next, total } = await api.get<Organizations>(path);
  const add = { href: at('/console/orgs/new'), label: texts.add };
  const rows = items.map(({ id, name: shown, created }) => [
    html`<a href="${at(`/console/orgs/${segmentOf(id)}/settings`)}">${shown}</a>`,
    exact(id),
    moment(created, language),
  ]);
  const list =
    rows.length > 0
      ? table({ caption: t.nav.organizations, columns: [t.name, t.identifier, t.created], rows })
      : name === ''
        ? emptyList(texts.none, add)
        : emptyList(texts.noneFound, { href: at('/console/orgs'), label: texts.showAll });
  return {
    title: t.nav.organizations,
    subtitle: texts.about,
    actions: html`<a class="button" href="${add.href}">${add.label}</a>`,
    content: searchForm(visit, {
      path: '/console/orgs',
      fields: field({ name: 'name', label: texts.beginning, value: name, type: 'search', maxLength: 200 }),
      results: html`${rows.length > 0 && countLine(visit, { total, isSearch: name !== '' })}${list}${pager({
        t,
        first: after === '' ? undefined : at('/console/orgs', { name }),
        next: next === undefined ? undefined : at('/console/orgs', { name, after: next }),
      })}`,
    }),
  };
}
