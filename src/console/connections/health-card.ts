import { type Html, type HtmlValue, html } from '#src/http/pages/html.js';
import { reasonInWords } from '#src/http/providers/reasons/refusal-reason.js';
import { expiry } from '../credentials/expiry.js';
import { badge, card, facts, moment, table } from '../http/parts.js';
import { linkTo } from '../http/segments.js';
import type { ConsoleVisit } from '../http/visit.js';
import { nameOfUser } from '../resources/name-of-user.js';
import { pathOf } from '../resources/organization-of.js';
import type { ConnectionHealth, ShownConnection } from './shown-connection.js';
import { connectionsTexts } from './texts/texts.js';

type Refusal = ConnectionHealth['refusals'][number];

/** Whether a connection is used, by sign-ins and by its client of SCIM, and why the last sign-ins were refused. */
export async function healthCard(
  visit: ConsoleVisit,
  { connection, health }: { connection: ShownConnection; health: ConnectionHealth },
): Promise<Html> {
  const { at, language } = visit;
  const texts = connectionsTexts[language];
  const { lastSignIn, lastProvisioning, refusals } = health;
  const { provisionedBy } = connection.linking;
  const provisioning =
    provisionedBy === undefined
      ? texts.noScim
      : html`${lastProvisioning ? html`${moment(lastProvisioning.time, language)} ${badge(String(lastProvisioning.status), lastProvisioning.status < 400 ? 'good' : 'bad')}` : texts.neverUsed}
<br>${linkTo(visit, [pathOf(visit, '/service-users'), provisionedBy], texts.toProvisioning)} · <a href="${at(pathOf(visit, '/provisioning/log'), { serviceUserId: provisionedBy })}">${texts.provisioningLog}</a>`;
  const rows = await Promise.all(refusals.map((refusal) => rowOf(visit, refusal)));
  return card(
    texts.health,
    html`${facts([
      [texts.lastSignIn, moment(lastSignIn, language) ?? texts.neverUsed],
      [texts.lastProvisioning, provisioning],
      [texts.secretEnds, connection.credentialEnds !== undefined && expiry(visit, connection.credentialEnds)],
    ])}
<h3>${texts.refusals}</h3>${
      rows.length === 0
        ? html`<p class="soft">${texts.noRefusals}</p>`
        : table({ caption: texts.refusals, columns: [texts.time, texts.reason, texts.person], rows })
    }`,
    { hint: texts.healthHint, id: 'health' },
  );
}

async function rowOf(visit: ConsoleVisit, { time, reason, detail, userId }: Refusal): Promise<HtmlValue[]> {
  const person = userId === undefined ? undefined : ((await nameOfUser(visit, userId))?.name ?? userId);
  return [
    moment(time, visit.language),
    html`${reasonInWords(visit.language, reason)}${detail !== undefined && html`<details><summary><code>${reason}</code></summary><p lang="en">${detail}</p></details>`}`,
    userId !== undefined && linkTo(visit, [pathOf(visit, '/users'), userId], person),
  ];
}
