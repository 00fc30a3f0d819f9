import { type Html, html } from '#src/http/pages/html.js';
import { actionButton } from '../http/form.js';
import { noticeOf } from '../http/notice-of.js';
import { badge, card, codeBlock, exact, facts, guideLink, moment } from '../http/parts.js';
import type { ConsolePage } from '../http/respond.js';
import { type ConsoleVisit, param, queryText } from '../http/visit.js';
import { organizationOf, pathOf } from '../resources/organization-of.js';
import { stateBadge } from './connections-page.js';
import { healthCard } from './health-card.js';
import { reasonText } from './provider-reason.js';
import {
  type ConnectionHealth,
  connectionApi,
  connectionOf,
  connectionPath,
  type ShownConnection,
} from './shown-connection.js';
import { connectionsTexts } from './texts/texts.js';

/** What a test of the provider came to. */
interface TestedProvider {
  readonly outcome: 'usable' | 'unusable';
  readonly reason?: string;
  readonly fault?: string;
  readonly member?: string;
}

/** One connection: whether it works, and what its provider must know. */
export async function connectionPage(visit: ConsoleVisit, tested?: TestedProvider): Promise<ConsolePage> {
  const { at, t, language } = visit;
  const [organization, connection, health] = await Promise.all([
    organizationOf(visit),
    connectionOf(visit),
    visit.api.get<ConnectionHealth>(connectionApi(visit, '/health')),
  ]);
  return {
    title: connection.name,
    subtitle: stateBadge(visit, connection.enabled),
    organization,
    crumbs: [{ href: at(pathOf(visit, '/connections')), label: t.nav.connections }],
    actions: actionsOf(visit, connection),
    content: html`${testCard(visit, tested)}
${await healthCard(visit, { connection, health })}
${providerCard(visit, connection)}
${card(
  t.nav.settings,
  facts([
    [t.identifier, exact(connection.id)],
    [connectionsTexts[language].creation, connectionsTexts[language][`creation_${connection.creation}`]],
    [connectionsTexts[language].strength, connectionsTexts[language][`strength_${connection.strength}`]],
    [connectionsTexts[language].domains, connection.domains.join(', ')],
    [t.created, moment(connection.created, language)],
    [t.changed, moment(connection.lastModified, language)],
  ]),
)}`,
    ...noticeAfter(visit),
  };
}

/** What went well before the redirect to this page. */
function noticeAfter(visit: ConsoleVisit): Pick<ConsolePage, 'notice'> {
  const texts = connectionsTexts[visit.language];
  const done = queryText(visit, 'done');
  return done === 'added' || done === 'addedOn' ? { notice: texts[done] } : noticeOf(visit, done);
}

function actionsOf(visit: ConsoleVisit, { enabled }: ShownConnection): Html {
  const { at, t, language } = visit;
  const texts = connectionsTexts[language];
  return html`<a class="button" href="${at(connectionPath(visit, '/change'))}">${t.edit}</a><a class="button quiet" href="${at(connectionPath(visit, '/mapping'))}">${texts.mapping}</a>${
    enabled
      ? html`<a class="button quiet" href="${at(connectionPath(visit, '/switch-off'))}">${texts.switchOff}</a>`
      : actionButton(visit, { action: connectionPath(visit, '/switch-on'), label: texts.switchOn })
  }<a class="button quiet" href="${at(connectionPath(visit, '/remove'))}">${t.remove}</a>`;
}

function testCard(visit: ConsoleVisit, tested: TestedProvider | undefined): Html {
  const texts = connectionsTexts[visit.language];
  const said =
    tested &&
    html`<div role="status"><p>${badge(texts[tested.outcome === 'usable' ? 'on' : 'off'], tested.outcome === 'usable' ? 'good' : 'bad')} ${texts[`test_${tested.outcome}`]}</p>${reasonText(visit, tested)}</div>`;
  const buttons = [
    actionButton(visit, { action: connectionPath(visit, '/test'), label: texts.test }),
    actionButton(visit, { action: connectionPath(visit, '/sign-in-tests'), label: texts.trySignIn }),
  ];
  return card(texts.test, html`${said}<div class="buttons">${buttons}</div>`, {
    hint: texts.testHint,
    id: 'test',
  });
}

/** What the provider must know of this service. */
function providerCard(visit: ConsoleVisit, connection: ShownConnection): Html {
  const { at, language } = visit;
  const texts = connectionsTexts[language];
  if (connection.protocol === 'saml') return samlCard(visit, connection);
  const { redirectUri, provider } = connection;
  const { issuer, clientId, publicKey } = provider;
  return card(
    texts.inProvider,
    html`${facts([
      [texts.callback, exact(redirectUri)],
      [texts.signInAddress, exact(at('/login', { organization: param(visit, 'orgId') }))],
      [texts.issuer, exact(issuer)],
      ['client_id', exact(clientId)],
    ])}${
      publicKey &&
      html`<h3>${texts.publicKey}</h3><p class="hint">${texts.publicKeyHint}</p>${codeBlock(JSON.stringify(publicKey, null, 2))}`
    }
<p class="hint">${texts.guide} ${guideLink(visit, 'connections', texts.guideName)}</p>`,
    { hint: texts.inProviderHint },
  );
}

/** The names of SAML are the same in every language. */
function samlCard(
  visit: ConsoleVisit,
  { service, provider }: Extract<ShownConnection, { protocol: 'saml' }>,
): Html {
  const { at, language } = visit;
  const texts = connectionsTexts[language];
  return card(
    texts.inProvider,
    html`${facts([
      ['Entity ID', exact(service.entityId)],
      ['ACS', exact(service.acsUrl)],
      ['SLO', exact(service.sloUrl)],
      [texts.signInAddress, exact(at('/login', { organization: param(visit, 'orgId') }))],
      [texts.issuer, exact(provider.issuer)],
    ])}<p><a href="${at(connectionPath(visit, '/metadata'))}">${texts.metadata}</a></p><h3>X.509</h3>${codeBlock(service.certificate)}
<p class="hint">${texts.guide} ${guideLink(visit, 'connections-saml', 'SAML 2.0')}</p>`,
    { hint: texts.inProviderHint },
  );
}

/** Asks the provider, and changes nothing. */
export async function testProvider(visit: ConsoleVisit): Promise<ConsolePage> {
  return connectionPage(visit, await visit.api.send<TestedProvider>('POST', connectionApi(visit, '/test')));
}
