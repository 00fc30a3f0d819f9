import { type Html, html } from '#src/http/pages/html.js';
import { samlSteps } from '#src/http/providers/saml/saml-steps.js';
import { type SamlTemplate, samlTemplateOf } from '#src/http/providers/saml/saml-templates.js';
import { ApiProblem } from '../http/api.js';
import { buttons, field, form } from '../http/form.js';
import { card, exact, facts, guideLink } from '../http/parts.js';
import { isRefusal } from '../http/refused.js';
import type { ConsolePage, GoTo } from '../http/respond.js';
import { segmentOf } from '../http/segments.js';
import type { Upload } from '../http/uploads.js';
import { type ConsoleVisit, param, queryText } from '../http/visit.js';
import type { ApiRefusal } from '../refusals/refusal.js';
import { organizationOf, pathOf } from '../resources/organization-of.js';
import { sendNewConnection } from './add-connection.js';
import { metadataControls, metadataFields, withMetadata } from './metadata-fields.js';
import {
  nameField,
  newConnectionBody,
  newConnectionFields,
  newConnectionId,
  type TypedField,
} from './new-connection-fields.js';
import { providerReason } from './provider-reason.js';
import { connectionsTexts } from './texts/texts.js';

/** A form that was sent, and why it is shown again. */
interface Refused {
  readonly fields: Upload['fields'];
  readonly problem: ApiRefusal;
}

const names = {
  ...metadataControls,
  'provider.subjectAttribute': 'subjectAttribute',
  'linking.provisionedBy': 'provisionedBy',
};

/** What a provider of SAML must know, and what it is asked for. Without a known provider, the choice is shown instead. */
export async function addSamlPage(visit: ConsoleVisit, refused?: Refused): Promise<ConsolePage | GoTo> {
  const { at, language, t } = visit;
  const texts = connectionsTexts[language];
  const template = samlTemplateOf(queryText(visit, 'template') || (refused?.fields['template'] ?? ''));
  const path = pathOf(visit, '/connections');
  if (template === undefined) return { goTo: `${path}/new` };
  const { problem } = refused ?? {};
  return {
    title: texts.addTo.replace('{provider}', `${template.name ?? texts.otherSaml} (SAML 2.0)`),
    organization: await organizationOf(visit),
    crumbs: [
      { href: at(path), label: t.nav.connections },
      { href: at(`${path}/new`), label: texts.choose },
    ],
    content: html`${problem instanceof ApiProblem && providerReason(visit, problem)}${await settings(visit, template, refused?.fields)}`,
    ...(problem && { refused: { problem, names } }),
  };
}

async function settings(
  visit: ConsoleVisit,
  template: SamlTemplate,
  fields: Upload['fields'] | undefined,
): Promise<Html> {
  const { at, language, t } = visit;
  const texts = connectionsTexts[language];
  const path = pathOf(visit, '/connections');
  const id = newConnectionId(visit, fields?.['id'] ?? '');
  const typed: TypedField = (name, usual = '') => (fields === undefined ? usual : (fields[name] ?? ''));
  const { name, provider, metadata } = template;
  const content = html`${nameField(visit, typed('name', name))}
${field({ name: 'subjectAttribute', label: texts.subjectAttribute, value: typed('subjectAttribute', provider.subjectAttribute), maxLength: 200, isExact: true, hint: texts.subjectAttributeHint })}
${await newConnectionFields(visit, typed)}
${metadataFields(visit, { address: typed('metadataUrl'), hint: metadata.name })}
${buttons(texts.add, { cancel: { href: at(path), label: t.cancel } })}`;
  const hidden = { template: template.key };
  return html`${stepsCard(visit, template, id)}
<div class="card">${form(visit, { action: `${path}/new-saml`, hidden, shown: { id }, content, isMultipart: true })}</div>`;
}

/** What an administrator of the provider does there, with the values under the names that they have there. */
function stepsCard(visit: ConsoleVisit, template: SamlTemplate, id: string): Html {
  const { at, language } = visit;
  const texts = connectionsTexts[language];
  const base = `/login/connections/${segmentOf(param(visit, 'orgId'))}/${segmentOf(id)}/saml`;
  const { entityId, acsUrl, guide, name = 'SAML 2.0' } = template;
  return card(
    texts.steps,
    html`${facts([
      [entityId, exact(at(`${base}/metadata`))],
      [acsUrl, exact(at(`${base}/acs`))],
    ])}<ol>${samlSteps(language, template).map((step) => html`<li>${step}</li>`)}</ol>
<p class="hint">${texts.guide} ${guideLink(visit, guide, name)}</p>`,
  );
}

/** Adds the connection of the form. Its metadata is read at once, so a wrong one comes back to the form. */
export function addUploadedConnection(visit: ConsoleVisit, upload: Upload): Promise<ConsolePage | GoTo> {
  const { fields } = upload;
  const template = samlTemplateOf(fields['template'] ?? '');
  return withMetadata(visit, upload, async (given) => {
    if (template === undefined || 'errors' in given)
      return addSamlPage(visit, 'errors' in given ? { fields, problem: given } : undefined);
    const typed: TypedField = (name) => (fields[name] ?? '').trim();
    const subjectAttribute = typed('subjectAttribute');
    const body = {
      ...newConnectionBody(typed),
      protocol: 'saml',
      provider: { ...template.provider, subjectAttribute, ...given },
      claims: template.claims,
    };
    try {
      return await sendNewConnection(visit, body);
    } catch (error) {
      if (!isRefusal(error)) throw error;
      return addSamlPage(visit, { fields, problem: error });
    }
  });
}
