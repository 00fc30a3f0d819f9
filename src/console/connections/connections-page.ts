import { type HtmlValue, html } from '#src/http/pages/html.js';
import { noticeOf } from '../http/notice-of.js';
import { badge, emptyList, moment, table } from '../http/parts.js';
import type { ConsolePage } from '../http/respond.js';
import { linkTo, segmentOf } from '../http/segments.js';
import { type ConsoleVisit, queryText } from '../http/visit.js';
import { apiOf, organizationOf, pathOf } from '../resources/organization-of.js';
import type { ConnectionHealth, ShownConnection } from './shown-connection.js';
import { connectionsTexts } from './texts/texts.js';

/** The connections of an organization, and whether each is used. An organization has few. */
export async function connectionsPage(visit: ConsoleVisit): Promise<ConsolePage> {
  const { at, t, language, api } = visit;
  const texts = connectionsTexts[language];
  const [organization, { items }] = await Promise.all([
    organizationOf(visit),
    api.get<{ items: readonly ShownConnection[] }>(apiOf(visit, '/connections')),
  ]);
  const rows = await Promise.all(items.map((connection) => rowOf(visit, connection)));
  const add = { href: at(pathOf(visit, '/connections/new')), label: texts.add };
  const columns = [
    ...[t.name, texts.provider, texts.state],
    ...[texts.lastSignIn, texts.lastProvisioning, texts.lastRefusal],
  ];
  return {
    title: t.nav.connections,
    subtitle: texts.about,
    organization,
    actions: html`<a class="button" href="${add.href}">${add.label}</a><a class="button quiet" href="${at(pathOf(visit, '/connections/setup'))}">${texts.setupLinks}</a>`,
    content:
      rows.length === 0 ? emptyList(texts.none, add) : table({ caption: t.nav.connections, columns, rows }),
    ...noticeOf(visit, queryText(visit, 'done')),
  };
}

async function rowOf(visit: ConsoleVisit, connection: ShownConnection): Promise<HtmlValue[]> {
  const { language, api } = visit;
  const texts = connectionsTexts[language];
  const { id, name, enabled, provider } = connection;
  const health = await api.get<ConnectionHealth>(apiOf(visit, `/connections/${segmentOf(id)}/health`));
  return [
    linkTo(visit, [pathOf(visit, '/connections'), id], name),
    html`<code>${new URL(provider.issuer).host}</code>`,
    stateBadge(visit, enabled),
    moment(health.lastSignIn, language) ?? texts.neverUsed,
    moment(health.lastProvisioning?.time, language),
    moment(health.refusals[0]?.time, language),
  ];
}

/** Whether people may sign in by a connection. */
export function stateBadge({ language }: Pick<ConsoleVisit, 'language'>, enabled: boolean) {
  const texts = connectionsTexts[language];
  return enabled ? badge(texts.on, 'good') : badge(texts.off, 'soft');
}
