import { type Html, html } from '#src/http/pages/html.js';
import { type ProviderTemplate, templateOf, templates } from '#src/http/providers/templates.js';
import { providerSteps } from '#src/http/providers/texts/texts.js';
import { newId } from '#src/platform/ids.js';
import type { ApiProblem } from '../http/api.js';
import { buttons, checkbox, field, form, select } from '../http/form.js';
import { card, exact, facts, guideLink } from '../http/parts.js';
import { isRefusal } from '../http/refused.js';
import type { ConsolePage, GoTo } from '../http/respond.js';
import { segmentOf } from '../http/segments.js';
import { type ConsoleVisit, fieldText, param, queryText } from '../http/visit.js';
import { apiOf, organizationOf, pathOf } from '../resources/organization-of.js';
import { providerReason } from './provider-reason.js';
import { provisionerField } from './provisioner-field.js';
import { connectionsTexts } from './texts/texts.js';

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

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
        : html`${providerReason(problem)}${await settings(visit, template, problem !== undefined)}`,
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
  return texts.addTo.replace('{provider}', nameOf(language, template));
}

function nameOf(language: ConsoleVisit['language'], { name }: ProviderTemplate): string {
  return name ?? connectionsTexts[language].otherProvider;
}

function choice(visit: ConsoleVisit): Html {
  const { at, language } = visit;
  const texts = connectionsTexts[language];
  const path = pathOf(visit, '/connections/new');
  return card(
    texts.choose,
    html`<ul class="plain">${templates.map((template) => html`<li><a class="button quiet" href="${at(path, { template: template.key })}">${nameOf(language, template)}</a></li>`)}</ul>`,
    { hint: texts.chooseHint },
  );
}

/** The identifier is chosen with the page, so that the callback address is known before the connection exists. */
function chosenId(visit: ConsoleVisit): string {
  const typed = visit.draft?.typed?.['id']?.[0] ?? fieldText(visit, 'id');
  return uuid.test(typed) ? typed : newId();
}

async function settings(visit: ConsoleVisit, template: ProviderTemplate, isTyped: boolean): Promise<Html> {
  const { at, language, t } = visit;
  const texts = connectionsTexts[language];
  const id = chosenId(visit);
  const path = pathOf(visit, '/connections');
  const typed = (name: string, usual = '') => (isTyped ? fieldText(visit, name) : usual);
  const content = html`${field({ name: 'name', label: texts.nameField, value: typed('name', template.name), isRequired: true, maxLength: 200, hint: texts.nameHint })}
${template.asks.map(({ name, label, placeholder }) => field({ name, label, value: typed(name), isRequired: true, maxLength: 500, isExact: true, placeholder }))}
${field({ name: 'clientId', label: template.clientId, value: typed('clientId'), isRequired: true, maxLength: 500, isExact: true })}
${field({ name: 'clientSecret', label: template.clientSecret, isRequired: template.key !== 'other', maxLength: 1000, isExact: true, isMasked: true, hint: texts.secretHint })}
${await provisionerField(visit, typed('provisionedBy'))}
${select({
  name: 'creation',
  label: texts.creation,
  choices: (['refuse', 'create'] as const).map((value) => ({ value, label: texts[`creation_${value}`] })),
  value: typed('creation', 'refuse'),
  hint: texts.creationHint,
})}
${checkbox({ name: 'enabled', label: texts.enabledField, hint: texts.enabledHint, isChecked: typed('enabled') === 'on' })}
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
    const { id, enabled } = await visit.api.send<{ id: string; enabled: boolean }>(
      'POST',
      apiOf(visit, '/connections'),
      bodyOf(visit, template),
    );
    const done = enabled ? 'addedOn' : 'added';
    return { goTo: `${pathOf(visit, `/connections/${segmentOf(id)}`)}?done=${done}` };
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return addConnectionPage(visit, error);
  }
}

function bodyOf(visit: ConsoleVisit, template: ProviderTemplate): object {
  const typed = (name: string) => fieldText(visit, name);
  const [id, secret, provisionedBy] = ['id', 'clientSecret', 'provisionedBy'].map(typed) as [
    string,
    string,
    string,
  ];
  const hostedDomain = typed('hostedDomain');
  return {
    ...(uuid.test(id) && { id }),
    name: typed('name'),
    protocol: template.protocol,
    enabled: typed('enabled') === 'on',
    provider: {
      issuer: template.issuer(typed),
      clientId: typed('clientId'),
      ...(hostedDomain !== '' && { hostedDomain }),
      ...template.provider,
    },
    ...(secret !== '' && { clientSecret: secret }),
    creation: typed('creation') === 'create' ? 'create' : 'refuse',
    linking: {
      ...(provisionedBy !== '' && { provisionedBy }),
      ...(template.identifierClaim !== undefined && { identifierClaim: template.identifierClaim }),
    },
    ...(template.claims && { claims: template.claims }),
  };
}
