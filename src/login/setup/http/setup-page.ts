import type { FastifyReply } from 'fastify';
import { type SetupStep, setupSteps } from '#src/connections/setup/index.js';
import type { SignInTest } from '#src/connections/sign-in/index.js';
import type { HttpExchange } from '#src/http/base/http-exchange.js';
import { exact } from '#src/http/pages/copy.js';
import { submit } from '#src/http/pages/form.js';
import { filled, type Html, type HtmlValue, html } from '#src/http/pages/html.js';
import { moment } from '#src/http/pages/moment.js';
import { pageAddress } from '#src/http/pages/page-address.js';
import { showPage } from '#src/http/pages/page-frame.js';
import { goalInWords, noteInWords } from '#src/http/providers/answers/answer-words.js';
import { reasonInWords } from '#src/http/providers/reasons/refusal-reason.js';
import { pathSegment } from '#src/platform/path-segment.js';
import type { LoginNeeds } from '../../needs/needs.js';
import { setupTexts } from '../texts/texts.js';
import { connectionStep } from './connection-part.js';
import { domainStep, namedDomains } from './domain-part.js';
import { maySwitchOn, type SetupVisit } from './setup-session.js';
import { type SetupView, type ShownSetup, stepForm } from './setup-view.js';
import type { ShownCredential } from './shown-credential.js';

type Deps = Pick<LoginNeeds, 'config' | 'connections' | 'domainProofs'>;

/** Shows all steps of the link on one page: what is done, and the form of each. It works without JavaScript. */
export async function showSetup(
  deps: Deps,
  { reply }: Pick<HttpExchange, 'reply'>,
  visit: SetupVisit,
  shown: ShownSetup = {},
): Promise<FastifyReply> {
  const { link, organization, language } = visit;
  const t = setupTexts[language];
  const connection =
    link.connectionId === undefined ? undefined : await deps.connections.find(link.orgId, link.connectionId);
  const domains = await namedDomains(deps, visit);
  const view = { deps, visit, shown, connection, domains };
  const contents: Readonly<Record<SetupStep, (view: SetupView) => HtmlValue>> = {
    domain: domainStep,
    connection: connectionStep,
    provisioning: provisioningStep,
    test: testStep,
    switchOn: switchOnStep,
  };
  const parts = setupSteps
    .filter((step) => link.steps.includes(step))
    .map((step) => {
      const done = link.done[step];
      const mark =
        done && html`<p class="hint">${filled(t.done, { date: moment(done.toISOString(), language) })}</p>`;
      return html`<section aria-labelledby="${step}"><div><h2 id="${step}">${t[`step_${step}`]}</h2>${mark}</div>
<div>${contents[step](view)}</div></section>`;
    });
  const subtitle = filled(t.for, {
    organization: html`<strong>${organization.name}</strong>`,
    date: moment(link.expires.toISOString(), language),
  });
  if (shown.refused !== undefined) reply.code(shown.refused.status);
  const look = { baseUrl: deps.config.baseUrl, language, organization };
  return showPage(reply, look, { title: t.title, subtitle, content: html`${parts}`, isWide: true });
}

function provisioningStep(view: SetupView): HtmlValue {
  const { deps, visit, shown } = view;
  const { link, language } = visit;
  const t = setupTexts[language];
  const { credential } = shown;
  const kinds = (['token', 'secret'] as const).map(
    (kind) => html`<option value="${kind}">${t[`credential_${kind}`]}</option>`,
  );
  const scim = pageAddress(deps, `/scim/v2/${pathSegment(link.orgId)}`);
  return html`<p>${t.provisioningText}</p>
${credential && credentialFacts(view, credential)}
<p>${t.scimUrl}</p><p>${exact(scim)}</p>
${stepForm(view, 'provisioning', 'provisioning', html`<div class="field"><label for="credential">${t.credential}</label><select id="credential" name="credential">${kinds}</select></div>${submit(t.connect)}`)}`;
}

function credentialFacts({ deps, visit }: SetupView, credential: ShownCredential): Html {
  const t = setupTexts[visit.language];
  const rows =
    credential.kind === 'token'
      ? ([[t.token, credential.token]] as const)
      : ([
          [t.tokenUrl, pageAddress(deps, '/oauth/v2/token')],
          [t.clientId, credential.clientId],
          [t.clientSecret, credential.clientSecret],
        ] as const);
  return html`<div role="status"><p><strong>${t.once}</strong></p>${rows.map(([name, value]) => html`<p>${name}<br>${exact(value)}</p>`)}</div>`;
}

function testStep(view: SetupView): HtmlValue {
  const { visit, shown, connection } = view;
  const t = setupTexts[visit.language];
  if (connection === undefined) return html`<p class="hint">${t.connectFirst}</p>`;
  return html`<p>${t.testText}</p>${shown.test && testResult(view, shown.test)}
${stepForm(view, 'test', 'test', submit(t.begin))}`;
}

/** What came back. It names nobody of the organization: whoever has the link administers the provider, and nothing here. */
function testResult({ visit, shown }: SetupView, { result }: SignInTest): Html {
  const { language } = visit;
  const t = setupTexts[language];
  if (result === undefined)
    return html`<p><a class="button full" href="${shown.testAddress ?? ''}">${t.toProvider}</a></p>`;
  const said =
    result.outcome === 'refused'
      ? t.fails.replace('{reason}', reasonInWords(language, result.reason ?? ''))
      : t.works;
  const rows = result.claims.map(({ name, value, goesTo }) => {
    const goals = goesTo.map((to) => goalInWords(language, to)).join(', ');
    return html`<tr><td><code>${name}</code></td><td><code>${value}</code></td><td>${goals || t.goesNowhere}</td></tr>`;
  });
  const notes = result.notes.map(
    (note) => html`<li>${noteInWords(language, note, result.credentialEnds)}</li>`,
  );
  return html`<p role="status"><strong>${said}</strong></p>${result.detail !== undefined && html`<p class="hint" lang="en">${result.detail}</p>`}
${notes.length > 0 && html`<ul>${notes}</ul>`}
${rows.length > 0 && html`<table><thead><tr><th scope="col">${t.claim}</th><th scope="col">${t.value}</th><th scope="col">${t.goesTo}</th></tr></thead><tbody>${rows}</tbody></table>`}`;
}

function switchOnStep(view: SetupView): HtmlValue {
  const { visit, connection } = view;
  const { link, organization, language } = visit;
  const t = setupTexts[language];
  if (connection?.enabled === true) return html`<p><strong>${t.isOn}</strong></p>`;
  if (connection === undefined) return html`<p class="hint">${t.connectFirst}</p>`;
  if (!maySwitchOn(link)) return html`<p class="hint">${t.testFirst}</p>`;
  return html`<p>${t.switchOnText.replace('{organization}', organization.name)}</p>
${stepForm(view, 'switchOn', 'switch-on', submit(t.switchOn))}`;
}
