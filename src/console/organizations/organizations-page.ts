import { html } from '#src/http/pages/html.js';
import { emptyList, moment, pager, table } from '../http/parts.js';
import type { ConsolePage } from '../http/respond.js';
import { type ConsoleVisit, queryText } from '../http/visit.js';
import { organizationsTexts } from './texts.js';

interface Organizations {
  readonly items: readonly { readonly id: string; readonly name: string; readonly created: string }[];
  readonly next?: string;
}

/** The organizations of the instance, a page at a time. */
export async function organizationsPage(visit: ConsoleVisit): Promise<ConsolePage> {
  const { api, at, language, t } = visit;
  const own = organizationsTexts[language];
  const after = queryText(visit, 'after');
  const { items, next } = await api.get<Organizations>('/admin/v1/orgs', { limit: 50, after });
  const add = { href: at('/console/orgs/new'), label: own.add };
  const rows = items.map(({ id, name, created }) => [
    html`<a href="${at(`/console/orgs/${encodeURIComponent(id)}/users`)}">${name}</a>`,
    html`<code>${id}</code>`,
    moment(created, language),
  ]);
  return {
    title: t.nav.organizations,
    subtitle: own.about,
    actions: html`<a class="button" href="${add.href}">${add.label}</a>`,
    content: html`${
      rows.length === 0
        ? emptyList(own.none, add)
        : table({ caption: t.nav.organizations, columns: [t.name, t.identifier, t.created], rows })
    }${pager({
      t,
      first: after === '' ? undefined : at('/console/orgs'),
      next: next === undefined ? undefined : at('/console/orgs', { after: next }),
    })}`,
  };
}
