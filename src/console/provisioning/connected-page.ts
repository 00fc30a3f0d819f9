import { html } from '#src/http/pages/html.js';
import { credentialTexts } from '../credentials/texts/texts.js';
import { card, exact, facts, guideLink, shownOnce } from '../http/parts.js';
import type { ConsolePage } from '../http/respond.js';
import { segmentOf } from '../http/segments.js';
import type { ConsoleVisit } from '../http/visit.js';
import { organizationOf, pathOf, scimOf } from '../resources/organization-of.js';
import type { ClientCredential, ProvisioningClient } from './clients.js';
import { stepsList } from './test-connection.js';
import { provisioningTexts } from './texts/texts.js';
import { tryCredential } from './try-credential.js';

/** A new connection: what the client needs, shown this once, beside what to do there, and whether it works. */
export async function connectedPage(
  visit: ConsoleVisit,
  { id, client, credential }: { id: string; client: ProvisioningClient; credential: ClientCredential },
): Promise<ConsolePage> {
  const { at, t, language } = visit;
  const [texts, shared] = [provisioningTexts[language], credentialTexts[language]];
  const [organization, steps] = await Promise.all([organizationOf(visit), tryCredential(visit, credential)]);
  const isToken = credential.kind === 'token';
  return {
    title: client.name ?? texts.otherClient,
    organization,
    crumbs: [{ href: at(pathOf(visit, '/provisioning')), label: t.nav.provisioning }],
    actions: html`<a class="button" href="${at(pathOf(visit, `/service-users/${segmentOf(id)}`))}">${texts.goOn}</a>`,
    notice: texts.connected,
    content: html`${shownOnce({
      label: isToken ? shared.token : shared.secret,
      value: isToken ? credential.token : credential.clientSecret,
      hint: shared.onceHint,
    })}
<div class="cards">${card(
      texts.addresses,
      facts([
        [texts.scimUrl, exact(`${at(scimOf(visit))}${client.query ?? ''}`)],
        [texts.tokenUrl, !isToken && exact(at('/oauth/v2/token'))],
        [shared.clientId, !isToken && exact(credential.clientId)],
      ]),
    )}
${card(
  texts.inClient,
  html`<ol>${texts[`steps_${client.key}`].split('\n').map((step) => html`<li>${step}</li>`)}</ol>
${client.guide !== undefined && html`<p class="hint">${texts.guide} ${guideLink(visit, client.guide, client.name ?? client.guide)}</p>`}`,
)}</div>
${card(texts.test, stepsList(visit, steps), { id: 'test' })}`,
  };
}
