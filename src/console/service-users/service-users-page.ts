import { html } from '#src/http/pages/html.js';
import { badge, card, countLine, emptyList, exact, facts, moment, pager, table } from '../http/parts.js';
import type { ConsolePage } from '../http/respond.js';
import { linkTo } from '../http/segments.js';
import { type ConsoleVisit, queryText } from '../http/visit.js';
import { apiOf, organizationOf, pathOf, scimOf } from '../resources/organization-of.js';
import type { ShownServiceUser } from './service-user.js';
import { serviceUsersTexts } from './texts/texts.js';

/** The service users of an organization, a page at a time. */
export async function serviceUsersPage(visit: ConsoleVisit): Promise<ConsolePage> {
  const { at, language, t, api } = visit;
  const texts = serviceUsersTexts[language];
  const after = queryText(visit, 'after');
  const [organization, { items, next, total }] = await Promise.all([
    organizationOf(visit),
    api.get<{ items: readonly ShownServiceUser[]; next?: string; total: number }>(
      apiOf(visit, '/service-users'),
      { after, includeTotal: true },
    ),
  ]);
  const path = pathOf(visit, '/service-users');
  const add = { href: at(`${path}/new`), label: texts.add };
  const rows = items.map(({ id, name, userName, active, created }) => [
    linkTo(visit, [path, id], name),
    html`<code>${userName}</code>`,
    active ? badge(t.active, 'good') : badge(t.inactive, 'bad'),
    moment(created, language),
  ]);
  return {
    title: t.nav.serviceUsers,
    subtitle: texts.about,
    organization,
    actions: html`<a class="button" href="${add.href}">${add.label}</a>`,
    content: html`${
      rows.length === 0
        ? emptyList(texts.none, add)
        : html`${countLine(visit, { total })}${table({
            caption: t.nav.serviceUsers,
            columns: [t.name, texts.userName, texts.state, t.created],
            rows,
          })}`
    }${pager({ t, first: after === '' ? undefined : at(path), next: next === undefined ? undefined : at(path, { after: next }) })}${addressesCard(visit)}`,
    ...(queryText(visit, 'done') === 'removed' && { notice: t.removed }),
  };
}

/** The addresses that programs need. ServiceProviderConfig has no address of security event tokens. */
function addressesCard(visit: ConsoleVisit) {
  const texts = serviceUsersTexts[visit.language];
  const content = facts([
    ['SCIM', exact(visit.at(scimOf(visit)))],
    [texts.securityEvents, exact(visit.at(scimOf(visit, '/SecurityEvents')))],
  ]);
  return card(texts.addresses, content, { hint: texts.addressesHint });
}
