import { type Html, html } from '#src/http/pages/html.js';
import { isConfirmed, wrongName } from '../confirmation/confirm-form.js';
import { confirmRemovalPage } from '../confirmation/confirm-removal.js';
import { ApiProblem } from '../http/api.js';
import { buttons, field, form } from '../http/form.js';
import { noticeOf } from '../http/notice-of.js';
import { card, emptyList, exact, table } from '../http/parts.js';
import { refusalOf } from '../http/refused.js';
import type { ConsolePage, GoTo } from '../http/respond.js';
import { type ConsoleVisit, fieldText, queryText } from '../http/visit.js';
import type { ApiRefusal } from '../refusals/refusal.js';
import { apiOf, organizationOf, pathOf } from '../resources/organization-of.js';
import { attributeFields, attributeNames, attributeOf, attributeTable } from './attribute-page.js';
import { type OrganizationSchema, pathOfSchema, schemaApi } from './organization-schema.js';
import { crumbsOf, settingsFrame } from './settings-frame.js';
import { settingsTexts } from './texts/texts.js';

/** The schemas by which the organization extends its users. */
export async function schemasPage(visit: ConsoleVisit): Promise<ConsolePage> {
  const [organization, { items }] = await Promise.all([
    organizationOf(visit),
    visit.api.get<{ items: readonly OrganizationSchema[] }>(apiOf(visit, '/extension-schemas')),
  ]);
  const { t, at } = visit;
  const texts = settingsTexts[visit.language];
  const add = { href: at(pathOf(visit, '/settings/schemas/edit')), label: texts.addSchema };
  const rows = items.map(({ id, name, attributes }) => [
    html`${name}<br>${exact(id)}`,
    attributes.map((attribute) => `${attribute.name} (${texts.attribute.types[attribute.type]})`).join(', '),
    html`<div class="actions"><a class="button quiet" href="${at(pathOf(visit, '/settings/schemas/edit'), { id })}">${t.edit}</a>
<a class="button quiet" href="${at(pathOf(visit, '/settings/schemas/remove'), { id })}">${t.remove}</a></div>`,
  ]);
  return settingsFrame(visit, {
    organization,
    tab: 'schemas',
    actions: html`<a class="button" href="${add.href}">${add.label}</a>`,
    content:
      rows.length === 0
        ? emptyList(texts.noSchemas, add)
        : table({ caption: texts.schemas, columns: [texts.schema, texts.attributes, texts.actions], rows }),
  });
}

/** A schema: its name and its attributes. A new one is named, and gets its first attribute. */
export async function schemaPage(visit: ConsoleVisit, problem?: ApiProblem): Promise<ConsolePage> {
  const { at, t } = visit;
  const texts = settingsTexts[visit.language];
  const isTyped = problem !== undefined;
  const given = queryText(visit, 'id') || fieldText(visit, 'edited');
  const organization = await organizationOf(visit);
  const stored = given === '' ? undefined : await visit.api.get<OrganizationSchema>(schemaApi(visit, given));
  const text = (name: string, value = '') => (isTyped ? fieldText(visit, name) : value);
  const content = form(visit, {
    action: pathOf(visit, '/settings/schemas/edit'),
    hidden: { edited: given },
    content: html`${field({ name: 'name', label: t.name, value: text('name', stored?.name), isRequired: true, maxLength: 200 })}
${field({ name: 'description', label: texts.attribute.description, value: text('description', stored?.description), maxLength: 500 })}
${stored === undefined && field({ name: 'id', label: 'URN', value: text('id'), hint: texts.urnHint, maxLength: 200, isExact: true, placeholder: 'urn:example:scim:badge:2.0:User' })}
${stored === undefined && html`<h3>${texts.attribute.first}</h3>${attributeFields(visit, { isTyped })}`}
${buttons(t.save, { cancel: { href: at(pathOf(visit, '/settings/schemas')), label: t.cancel } })}`,
  });
  return {
    title: stored?.name ?? texts.addSchema,
    organization,
    crumbs: crumbsOf(visit, 'schemas'),
    content: html`${stored && attributesCard(visit, stored)}${card(texts.schema, content)}`,
    ...noticeOf(visit, queryText(visit, 'done')),
    ...(problem && { refused: { problem, names: attributeNames } }),
  };
}

function attributesCard(visit: ConsoleVisit, schema: OrganizationSchema): Html {
  const texts = settingsTexts[visit.language];
  const columns = [visit.t.name, texts.attribute.type, texts.attribute.rules, texts.actions];
  const add = visit.at(pathOf(visit, '/settings/schemas/attribute'), { id: schema.id });
  return card(
    texts.attributes,
    html`${table({ caption: texts.attributes, columns, rows: attributeTable(visit, schema) })}
<p class="buttons"><a class="button" href="${add}">${texts.attribute.add}</a></p>`,
    { hint: exact(schema.id) },
  );
}

/** Adds a schema with its first attribute, or names one anew. */
export async function putSchema(visit: ConsoleVisit): Promise<ConsolePage | GoTo> {
  const edited = fieldText(visit, 'edited');
  const [name, description] = [fieldText(visit, 'name'), fieldText(visit, 'description')];
  const id = edited || fieldText(visit, 'id') || urnOf(name);
  const attributes =
    edited === ''
      ? [attributeOf(visit)]
      : (await visit.api.get<OrganizationSchema>(schemaApi(visit, edited))).attributes;
  const problem =
    (edited === '' ? await takenProblem(visit, id) : undefined) ??
    (await refusalOf(() => visit.api.send('PUT', schemaApi(visit, id), { name, description, attributes })));
  return problem ? schemaPage(visit, problem) : { goTo: pathOfSchema(visit, id, 'saved') };
}

/** A URN made of the name, in the form that provisioning clients propose. */
function urnOf(name: string): string {
  const slug = name
    .normalize('NFKD')
    .replace(/[^A-Za-z0-9]+/g, '')
    .slice(0, 60);
  return `urn:ietf:params:scim:schemas:extension:${slug === '' ? 'own' : slug.toLowerCase()}:2.0:User`;
}

/** A new schema must not replace another one, whose values users would lose. */
async function takenProblem(visit: ConsoleVisit, id: string): Promise<ApiProblem | undefined> {
  const { items } = await visit.api.get<{ items: readonly OrganizationSchema[] }>(
    apiOf(visit, '/extension-schemas'),
  );
  if (!items.some((one) => one.id.toLowerCase() === id.toLowerCase())) return undefined;
  const errorId = 'directory.identifierTaken';
  return new ApiProblem({ status: 409, id: errorId, errors: [{ path: ['id'], id: errorId, params: {} }] });
}

/** Asks before a schema is removed. */
export async function removeSchemaPage(visit: ConsoleVisit, problem?: ApiRefusal): Promise<ConsolePage> {
  const id = fieldText(visit, 'id') || queryText(visit, 'id');
  const texts = settingsTexts[visit.language];
  const { name, attributes } = await visit.api.get<OrganizationSchema>(schemaApi(visit, id));
  const removal = {
    organization: await organizationOf(visit),
    title: texts.removeSchema,
    text: html`<p>${texts.removeSchemaText}</p>
<ul>${attributes.map((attribute) => html`<li><code>${attribute.name}</code></li>`)}</ul>`,
    name,
    hidden: { id },
    action: '/settings/schemas/remove',
    back: '/settings/schemas',
    crumbs: crumbsOf(visit, 'schemas'),
  };
  return confirmRemovalPage(visit, removal, problem);
}

/** Removes a schema. */
export async function removeSchema(visit: ConsoleVisit): Promise<ConsolePage | GoTo> {
  const path = schemaApi(visit, fieldText(visit, 'id'));
  const { name } = await visit.api.get<OrganizationSchema>(path);
  if (!isConfirmed(visit, name)) return removeSchemaPage(visit, wrongName);
  const problem = await refusalOf(() => visit.api.send('DELETE', path));
  if (problem) return removeSchemaPage(visit, problem);
  return { goTo: pathOf(visit, '/settings/schemas') };
}
