import { type Html, html } from '#src/http/pages/html.js';
import { samlTemplates } from '#src/http/providers/saml/saml-templates.js';
import { type ProviderTemplate, templateOf, templates } from '#src/http/providers/templates.js';
import { providerSteps } from '#src/http/providers/texts/texts.js';
import type { ApiProblem } from '../http/api.js';
import { buttons, field, form } from '../http/form.js';
import { card, exact, facts, guideLink } from '../http/parts.js';
import { isRefusal } from '../http/refused.js';
import type { ConsolePage, GoTo } from '../http/respond.js';
import { segmentOf } from '../http/segments.js';
import { type ConsoleVisit, fieldText, param, queryText } from '../http/visit.js';
import { apiOf, organizationOf, pathOf } from '../resources/organization-of.js';
import {
  nameField,
  newConnectionBody,
  newConnectionFields,
  newConnectionId,
  type TypedField,
} from './new-connection-fields.js';
import { providerReason } from './provider-reason.js';
import { connectionsTexts } from './texts/texts.js';

/** First the provider, then what this provider needs. */
export async function addConnectionPage(visit: ConsoleVisit, problem?: ApiProblem): Promise<ConsolePage> {
  const { at, language, t } = visit;
  const texts = connectionsTexts[language];
  const template = templateOf(queryText(visit, 'template') || fieldText(visit, 'template'));
  const path = pathOf(visit, '/connections');
  return {
    title: template === undefined ? texts.add : titleOf(visit, template),
    organization: await organizationOf(visit),
    crumbs: [
      { href: at(path), label: t.nav.connections },
      ...(template === undefined ? [] : [{ href: at(`${path}/new`), label: texts.choose }]),
    ],
    content:
      template === undefined
        ? choice(visit)
        : html`${providerReason(visit, problem)}${await settings(visit, template, problem !== undefined)}`,
    ...(problem && { refused: { problem, names: controlNames } }),
  };
}

/** An issuer is typed whole, or made from one of these. */
const controlNames = {
  'provider.issuer': ['issuer', 'tenant', 'domain', 'host'],
  'connections.providerUnusable': ['issuer', 'tenant', 'domain', 'host'],
  'linking.provisionedBy': 'provisionedBy',
};

function titleOf({ language }: ConsoleVisit, template: ProviderTemplate): string {
  const texts = connectionsTexts[language];
  return texts.addTo.replace('{provider}', template.name ?? texts.otherProvider);
}

/** The providers by OpenID Connect, and below them those by SAML. */
function choice({ at, language, request }: ConsoleVisit): Html {
  const texts = connectionsTexts[language];
  const list = (below: string, all: readonly { key: string; name?: string }[], other: string) => {
    const path = pathOf({ request }, `/connections/${below}`);
    const items = all.map(
      ({ key, name }) =>
        html`<li><a class="button quiet" href="${at(path, { template: key })}">${name ?? other}</a></li>`,
    );
    return html`<ul class="plain">${items}</ul>`;
  };
  return html`${card(texts.choose, list('new', templates, texts.otherProvider), { hint: texts.chooseHint })}
${card(texts.chooseSaml, list('new-saml', samlTemplates, texts.otherSaml), { hint: texts.chooseSamlHint })}`;
}

/** The fields of a form that was sent, or the usual values. */
function typedIn(visit: ConsoleVisit, isTyped: boolean): TypedField {
  return (name, usual = '') => (isTyped ? fieldText(visit, name) : usual);
}

async function settings(visit: ConsoleVisit, template: ProviderTemplate, isTyped: boolean): Promise<Html> {
  const { at, language, t } = visit;
  const texts = connectionsTexts[language];
  const id = newConnectionId(visit, fieldText(visit, 'id'));
  const path = pathOf(visit, '/connections');
  const typed = typedIn(visit, isTyped);
  const content = html`${nameField(visit, typed('name', template.name))}
${template.asks.map(({ name, label, placeholder, usual }) => field({ name, label, value: typed(name, usual), isRequired: true, maxLength: 500, isExact: true, placeholder }))}
${field({ name: 'clientId', label: template.clientId, value: typed('clientId'), isRequired: true, maxLength: 500, isExact: true })}
${field({ name: 'clientSecret', label: template.clientSecret, isRequired: template.key !== 'other', maxLength: 1000, isExact: true, isMasked: true, hint: texts.secretHint })}
${await newConnectionFields(visit, typed)}
${buttons(texts.add, { cancel: { href: at(path), label: t.cancel } })}`;
  const callback = at(`/login/connections/${segmentOf(param(visit, 'orgId'))}/${segmentOf(id)}/callback`);
  return html`${stepsCard(visit, template, callback)}
<div class="card">${form(visit, { action: `${path}/new`, hidden: { template: template.key }, shown: { id }, content })}</div>`;
}

/** What an administrator of the provider does there, with the address to paste. */
function stepsCard(visit: ConsoleVisit, template: ProviderTemplate, callback: string): Html {
  const { key, guide } = template;
  const texts = connectionsTexts[visit.language];
  return card(
    texts.steps,
    html`${facts([[texts.callback, exact(callback)]])}<ol>${providerSteps[visit.language][key].split('\n').map((step) => html`<li>${step}</li>`)}</ol>
<p class="hint">${texts.guide} ${guideLink(visit, guide, template.name ?? texts.guideName)}</p>`,
  );
}

/** Adds the connection. Its provider is read at once, so a wrong address comes back to the form. */
export async function addTypedConnection(visit: ConsoleVisit): Promise<ConsolePage | GoTo> {
  const template = templateOf(fieldText(visit, 'template'));
  if (template === undefined) return addConnectionPage(visit);
  try {
    return await sendNewConnection(visit, bodyOf(visit, template));
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return addConnectionPage(visit, error);
  }
}

/** Adds a connection, and leads to its page. @throws ApiProblem */
export async function sendNewConnection(visit: ConsoleVisit, body: object): Promise<GoTo> {
  const { id, enabled } = await visit.api.send<{ id: string; enabled: boolean }>(
    'POST',
    apiOf(visit, '/connections'),
    body,
  );
  const done = enabled ? 'addedOn' : 'added';
  return { goTo: `${pathOf(visit, `/connections/${segmentOf(id)}`)}?done=${done}` };
}

function bodyOf(visit: ConsoleVisit, template: ProviderTemplate): object {
  const typed = typedIn(visit, true);
  const common = newConnectionBody(typed);
  const [secret, hostedDomain] = [typed('clientSecret'), typed('hostedDomain')];
  return {
    ...common,
    protocol: template.protocol,
    provider: {
      issuer: template.issuer(typed),
      clientId: typed('clientId'),
      ...(hostedDomain !== '' && { hostedDomain }),
      ...template.provider,
    },
    ...(secret !== '' && { clientSecret: secret }),
    linking: {
      ...common.linking,
      ...(template.identifierClaim !== undefined && { identifierClaim: template.identifierClaim }),
    },
    ...(template.claims && { claims: template.claims }),
  };
}
