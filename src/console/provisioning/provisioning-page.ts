import { html } from '#src/http/pages/html.js';
import { expiry } from '../credentials/expiry.js';
import { badge, card, emptyList, exact, facts, table } from '../http/parts.js';
import type { ConsolePage } from '../http/respond.js';
import { linkTo, segmentOf } from '../http/segments.js';
import type { ConsoleVisit } from '../http/visit.js';
import { orAbsent } from '../resources/name-of-user.js';
import { apiOf, organizationOf, pathOf, scimOf } from '../resources/organization-of.js';
import { provisioningFrame } from './provisioning-frame.js';
import { provisioningTexts } from './texts/texts.js';

interface Named {
  readonly id: string;
  readonly name: string;
  readonly userName: string;
  readonly active: boolean;
}
interface Expiring {
  readonly items: readonly { readonly expires?: string }[];
}

/** More connections are in the list of service users. */
const mostShown = 20;

/** The address of SCIM, and the service users that may change users. */
export async function provisioningPage(visit: ConsoleVisit): Promise<ConsolePage> {
  const { at, t, language } = visit;
  const texts = provisioningTexts[language];
  const [organization, connections] = await Promise.all([organizationOf(visit), connectionsOf(visit)]);
  const rows = connections.map(({ id, name, userName, active, first }) => [
    html`${linkTo(visit, [pathOf(visit, '/service-users'), id], name)}<br><span class="soft">${userName}</span>`,
    active ? badge(t.active, 'good') : badge(t.inactive, 'bad'),
    first === undefined ? badge(texts.noCredential, 'bad') : expiry(visit, first === '' ? undefined : first),
    html`<a href="${at(pathOf(visit, '/provisioning/log'), { serviceUserId: id })}">${texts.log}</a>`,
  ]);
  const add = { href: at(pathOf(visit, '/provisioning/connect')), label: texts.connect };
  return provisioningFrame(visit, {
    organization,
    tab: 'overview',
    actions: html`<a class="button" href="${add.href}">${add.label}</a>`,
    content: html`${card(
      texts.addresses,
      facts([
        [texts.scimUrl, exact(at(scimOf(visit)))],
        [texts.tokenUrl, exact(at('/oauth/v2/token'))],
      ]),
      { hint: texts.addressesHint },
    )}
<h2>${texts.connections}</h2><p class="soft">${texts.overlapHint}</p>
${rows.length === 0 ? emptyList(texts.noConnections, add) : table({ caption: texts.connections, columns: [t.name, texts.state, texts.nextExpiry, texts.log], rows })}`,
  });
}

/** The service users that may change users, with the moment when the last of their credentials expires: '' for never. */
async function connectionsOf(visit: ConsoleVisit): Promise<(Named & { first: string | undefined })[]> {
  const { items } = await visit.api.get<{ items: readonly { userId: string; role: string }[] }>(
    apiOf(visit, '/memberships'),
    { limit: 100 },
  );
  const ids = items.filter(({ role }) => role === 'ORG_USER_MANAGER').map(({ userId }) => userId);
  const found = await Promise.all(
    [...new Set(ids)].slice(0, mostShown).map(async (id) => {
      const path = apiOf(visit, `/service-users/${segmentOf(id)}`);
      const user = await orAbsent(visit.api.get<Named>(path));
      if (user === undefined) return [];
      const lists = await Promise.all(
        ['/secrets', '/tokens', '/keys', '/federated-credentials'].map((below) =>
          visit.api.get<Expiring>(`${path}${below}`),
        ),
      );
      const expiries = lists.flatMap((list) => list.items.map(({ expires }) => expires ?? ''));
      return [{ ...user, first: expiries.includes('') ? '' : expiries.sort().at(-1) }];
    }),
  );
  return found.flat();
}
