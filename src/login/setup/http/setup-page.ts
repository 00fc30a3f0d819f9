import type { FastifyReply } from 'fastify';
import type { Connection } from '#src/connections/registry/index.js';
import { type SetupStep, setupSteps } from '#src/connections/setup/index.js';
import { redirectUriOf, type SignInTest } from '#src/connections/sign-in/index.js';
import type { HttpExchange } from '#src/http/base/http-exchange.js';
import { exact } from '#src/http/pages/copy.js';
import { field, form, submit } from '#src/http/pages/form.js';
import { filled, type Html, type HtmlValue, html } from '#src/http/pages/html.js';
import { moment } from '#src/http/pages/moment.js';
import { pageAddress } from '#src/http/pages/page-address.js';
import { showPage } from '#src/http/pages/page-frame.js';
import { reasonInWords } from '#src/http/providers/reasons/refusal-reason.js';
import { type ProviderTemplate, templateOf, templates } from '#src/http/providers/templates.js';
import { providerSteps } from '#src/http/providers/texts/texts.js';
import { pathSegment } from '#src/platform/path-segment.js';
import type { LoginNeeds } from '../../needs/needs.js';
import { setupTexts } from '../texts/texts.js';
import { maySwitchOn, type SetupVisit, setupPurpose } from './setup-session.js';
import type { ShownCredential } from './shown-credential.js';

type Deps = Pick<LoginNeeds, 'config' | 'connections'>;

/** What a page shows beside the steps. */
interface Shown {
  /** The key of the chosen provider. */
  readonly template?: string;
  /** Why the form of the connection was refused, for this person: without a name of anybody. */
  readonly refused?: { readonly reason: string; readonly typed: (name: string) => string };
  readonly credential?: ShownCredential;
  readonly test?: SignInTest | undefined;
  readonly testAddress?: string;
}

/** Shows all steps of the link on one page: what is done, and the form of each. It works without JavaScript. */
export async function showSetup(
  deps: Deps,
  { reply }: Pick<HttpExchange, 'reply'>,
  visit: SetupVisit,
  shown: Shown = {},
): Promise<FastifyReply> {
  const { link, organization, language } = visit;
  const t = setupTexts[language];
  const connection =
    link.connectionId === undefined ? undefined : await deps.connections.find(link.orgId, link.connectionId);
  const view = { deps, visit, shown, connection };
  const contents: Readonly<Record<SetupStep, (view: View) => HtmlValue>> = {
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
  if (shown.refused !== undefined) reply.code(400);
  const look = { baseUrl: deps.config.baseUrl, language, organization };
  return showPage(reply, look, { title: t.title, subtitle, content: html`${parts}`, isWide: true });
}

interface View {
  readonly deps: Deps;
  readonly visit: SetupVisit;
  readonly shown: Shown;
  readonly connection: Connection | undefined;
}

function stepForm({ deps, visit }: View, step: SetupStep, path: string, content: HtmlValue): Html {
  const action = pageAddress(deps, `/setup/${path}`);
  return form({ action, agent: visit.agent, purpose: setupPurpose(step), content });
}

function connectionStep(view: View): HtmlValue {
  const { deps, visit, shown, connection } = view;
  const { language } = visit;
  const t = setupTexts[language];
  const template = templateOf(shown.template ?? '');
  if (template === undefined) {
    const links = templates.map(
      ({ key, name }) =>
        html`<li><a href="${pageAddress(deps, '/setup', { template: key })}">${name ?? t.otherProvider}</a></li>`,
    );
    return html`${connection && html`<p><strong>${connection.name}</strong> <code>${connection.provider.issuer}</code></p>`}<p>${t.choose}</p><ul>${links}</ul>`;
  }
  const steps = providerSteps[language][template.key].split('\n');
  return html`<p>${t.callback}</p><p>${exact(callbackOf(view))}</p><ol>${steps.map((step) => html`<li>${step}</li>`)}</ol>
${shown.refused && html`<p class="error" role="alert">${t.refused.replace('{reason}', shown.refused.reason)}</p>`}
${stepForm(view, 'connection', 'connection', html`<input type="hidden" name="template" value="${template.key}">${fieldsOf(view, template)}${submit(t.save)}`)}`;
}

/** The address at which the connection of the link gets its answers. It is known before the connection. */
function callbackOf({ deps, visit: { link } }: View): string {
  return redirectUriOf(deps.config, { orgId: link.orgId, id: link.connectionId ?? link.newConnectionId });
}

function fieldsOf({ visit, shown, connection }: View, template: ProviderTemplate): Html {
  const t = setupTexts[visit.language];
  const typed = shown.refused?.typed ?? (() => '');
  const asked = [
    ...template.asks.map(({ name, label, placeholder }) => ({ name, label, hint: placeholder })),
    { name: 'clientId', label: template.clientId, hint: undefined },
  ];
  return html`${asked.map(({ name, label, hint }) => field({ name, label, value: typed(name), autocomplete: 'off', hint }))}
${field({
  name: 'clientSecret',
  label: template.clientSecret,
  type: 'password',
  autocomplete: 'new-password',
  hint: connection === undefined ? t.secretHint : t.secretKept,
  isOptional: connection !== undefined || template.key === 'other',
})}`;
}

function provisioningStep(view: View): HtmlValue {
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

function credentialFacts({ deps, visit }: View, credential: ShownCredential): Html {
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

function testStep(view: View): HtmlValue {
  const { visit, shown, connection } = view;
  const t = setupTexts[visit.language];
  if (connection === undefined) return html`<p class="hint">${t.connectFirst}</p>`;
  return html`<p>${t.testText}</p>${shown.test && testResult(view, shown.test)}
${stepForm(view, 'test', 'test', submit(t.begin))}`;
}

/** What came back. It names nobody of the organization: whoever has the link administers the provider, and nothing here. */
function testResult({ visit, shown }: View, { result }: SignInTest): Html {
  const { language } = visit;
  const t = setupTexts[language];
  if (result === undefined)
    return html`<p><a class="button full" href="${shown.testAddress ?? ''}">${t.toProvider}</a></p>`;
  const said =
    result.outcome === 'refused'
      ? t.fails.replace('{reason}', reasonInWords(language, result.reason ?? ''))
      : t.works;
  const rows = result.claims.map(
    ({ name, value }) => html`<tr><td><code>${name}</code></td><td><code>${value}</code></td></tr>`,
  );
  return html`<p role="status"><strong>${said}</strong></p>${result.detail !== undefined && html`<p class="hint" lang="en">${result.detail}</p>`}
${rows.length > 0 && html`<table><thead><tr><th scope="col">${t.claim}</th><th scope="col">${t.value}</th></tr></thead><tbody>${rows}</tbody></table>`}`;
}

function switchOnStep(view: View): HtmlValue {
  const { visit, connection } = view;
  const { link, organization, language } = visit;
  const t = setupTexts[language];
  if (connection?.enabled === true) return html`<p><strong>${t.isOn}</strong></p>`;
  if (connection === undefined) return html`<p class="hint">${t.connectFirst}</p>`;
  if (!maySwitchOn(link)) return html`<p class="hint">${t.testFirst}</p>`;
  return html`<p>${t.switchOnText.replace('{organization}', organization.name)}</p>
${stepForm(view, 'switchOn', 'switch-on', submit(t.switchOn))}`;
}
