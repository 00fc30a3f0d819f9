import { type Html, html } from '#src/http/pages/html.js';
import type { ApiProblem } from '../http/api.js';
import { buttons, checkbox, field, form, select } from '../http/form.js';
import { refusalOf } from '../http/refused.js';
import type { ConsolePage, GoTo } from '../http/respond.js';
import { type ConsoleVisit, fieldText, fieldValues } from '../http/visit.js';
import { changedMeanwhile } from '../log/changed-meanwhile.js';
import { organizationOf, type ShownOrganization } from '../resources/organization-of.js';
import type { ConnectionView } from './connection-view.js';
import { oidcBody, oidcFields } from './oidc-fields.js';
import { providerReason } from './provider-reason.js';
import { provisionerField } from './provisioner-field.js';
import { samlBody, samlFields } from './saml-fields.js';
import {
  connectionApi,
  connectionOf,
  connectionPath,
  endpointControls,
  type ShownConnection,
} from './shown-connection.js';
import { crumbsOfConnection } from './switch-connection.js';
import { connectionsTexts } from './texts/texts.js';

/** All settings of a connection. */
export async function changeConnectionPage(
  visit: ConsoleVisit,
  refused?: ApiProblem | 'changed',
): Promise<ConsolePage> {
  const { t } = visit;
  const [organization, connection] = await Promise.all([organizationOf(visit), connectionOf(visit)]);
  const isTyped = refused !== undefined;
  const view: ConnectionView = {
    ...{ visit, connection },
    text: (name, stored) => (isTyped ? fieldText(visit, name) : stored),
    isOn: (name, stored) => (isTyped ? fieldText(visit, name) === 'on' : stored),
  };
  const content = form(visit, {
    action: connectionPath(visit, '/change'),
    shown: { version: String(connection.version) },
    content: html`${await fieldsOf(view, organization)}${buttons(t.save)}`,
  });
  return {
    title: t.edit,
    subtitle: connection.name,
    organization,
    crumbs: crumbsOfConnection(visit, connection.name),
    content: html`${refused !== 'changed' && providerReason(visit, refused)}<div class="card">${content}</div>`,
    ...(refused === 'changed' && { alert: await conflictOf(visit, connection), status: 409 }),
    ...(refused !== undefined && refused !== 'changed' && { refused: { problem: refused, names } }),
  };
}

/** The fields whose names differ from those of the API. */
const names = {
  ...Object.fromEntries(
    Object.entries(endpointControls).map(([name, control]) => [`provider.endpoints.${name}`, control]),
  ),
  'connections.providerUnusable': endpointControls.authorization,
  'provider.subjectAttribute': 'subjectAttribute',
};

async function fieldsOf(view: ConnectionView, organization: ShownOrganization): Promise<Html> {
  const { visit, connection, text } = view;
  const texts = connectionsTexts[visit.language];
  return html`${field({ name: 'name', label: texts.nameField, value: text('name', connection.name), isRequired: true, maxLength: 200, hint: texts.nameHint })}
${connection.protocol === 'saml' ? samlFields(view, connection) : oidcFields(view, connection.provider)}
${select({
  name: 'strength',
  label: texts.strength,
  choices: (['single', 'claimed', 'multiple'] as const).map((value) => ({
    value,
    label: texts[`strength_${value}`],
  })),
  value: text('strength', connection.strength),
})}
${await linkingFields(view, organization)}`;
}

async function linkingFields(
  { visit, connection, text, isOn }: ConnectionView,
  { domains }: ShownOrganization,
): Promise<Html> {
  const texts = connectionsTexts[visit.language];
  const { linking, creation } = connection;
  const chosen = fieldValues(visit, 'domains');
  const isTyped = visit.request.method === 'POST';
  return html`<fieldset><legend>${texts.linking}</legend>
${await provisionerField(visit, text('provisionedBy', linking.provisionedBy ?? ''))}
${field({ name: 'identifierClaim', label: texts.identifierClaim, value: text('identifierClaim', linking.identifierClaim), isRequired: true, maxLength: 200, isExact: true, hint: texts.identifierClaimHint })}
<fieldset><legend>${texts.domains}</legend>${
    domains.length === 0
      ? html`<p class="hint">${texts.noDomains}</p>`
      : domains.map((domain) =>
          checkbox({
            name: 'domains',
            value: domain,
            label: domain,
            isChecked: isTyped ? chosen.includes(domain) : connection.domains.includes(domain),
          }),
        )
  }</fieldset>
${checkbox({ name: 'byDomain', label: texts.byDomain, hint: connection.protocol === 'saml' ? texts.byDomainSamlHint : texts.byDomainHint, isChecked: isOn('byDomain', linking.byDomain) })}
${checkbox({ name: 'byPerson', label: texts.byPerson, hint: texts.byPersonHint, isChecked: isOn('byPerson', linking.byPerson) })}
${select({
  name: 'creation',
  label: texts.creation,
  choices: (['refuse', 'create'] as const).map((value) => ({ value, label: texts[`creation_${value}`] })),
  value: text('creation', creation),
  hint: texts.creationHint,
})}</fieldset>`;
}

/** Changes a connection, unless somebody else changed it since the form was shown. */
export async function saveConnection(visit: ConsoleVisit): Promise<ConsolePage | GoTo> {
  const connection = await connectionOf(visit);
  if (connection.version !== Number(fieldText(visit, 'version')))
    return changeConnectionPage(visit, 'changed');
  const problem = await refusalOf(() =>
    visit.api.send('PATCH', connectionApi(visit), bodyOf(visit, connection)),
  );
  return problem ? changeConnectionPage(visit, problem) : { goTo: `${connectionPath(visit)}?done=saved` };
}

function bodyOf(visit: ConsoleVisit, connection: ShownConnection): object {
  const typed = (name: string) => fieldText(visit, name);
  return {
    name: typed('name'),
    ...(connection.protocol === 'saml' ? samlBody(visit) : oidcBody(visit, connection.provider)),
    strength: typed('strength'),
    creation: typed('creation'),
    domains: fieldValues(visit, 'domains'),
    linking: {
      provisionedBy: typed('provisionedBy'),
      identifierClaim: typed('identifierClaim'),
      byDomain: typed('byDomain') === 'on',
      byPerson: typed('byPerson') === 'on',
    },
  };
}

/** What somebody else changed since the form was shown, and what is stored. */
function conflictOf(visit: ConsoleVisit, { id, ...stored }: ShownConnection): Promise<Html> {
  const texts = connectionsTexts[visit.language];
  return changedMeanwhile(visit, {
    id,
    version: Number(fieldText(visit, 'version')),
    stored: [
      [texts.nameField, stored.name],
      ...('clientId' in stored.provider ? ([['client_id', stored.provider.clientId]] as const) : []),
      [texts.strength, texts[`strength_${stored.strength}`]],
      [texts.creation, texts[`creation_${stored.creation}`]],
      [texts.domains, stored.domains.join(', ')],
    ],
  });
}
