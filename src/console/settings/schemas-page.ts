import { html } from '#src/http/pages/html.js';
import { isConfirmed } from '../confirmation/confirm-form.js';
import { confirmRemovalPage } from '../confirmation/confirm-removal.js';
import { ApiProblem } from '../http/api.js';
import { buttons, field, form } from '../http/form.js';
import { card, emptyList, exact, table } from '../http/parts.js';
import { problemText } from '../http/problem-page.js';
import { refusalOf } from '../http/refused.js';
import type { ConsolePage, GoTo } from '../http/respond.js';
import { segmentOf } from '../http/segments.js';
import { type ConsoleVisit, fieldText, queryText } from '../http/visit.js';
import { apiOf, organizationOf, pathOf } from '../resources/organization-of.js';
import { readJson } from './read-json.js';
import { crumbsOf, settingsFrame } from './settings-frame.js';
import { settingsTexts } from './texts/texts.js';

interface Schema {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly attributes: readonly { readonly name: string; readonly type: string }[];
}

const example = `{
  "name": "Badge",
  "attributes": [{ "name": "number", "type": "string", "unique": true }]
}`;

/** The schemas by which the organization extends its users. */
export async function schemasPage(visit: ConsoleVisit): Promise<ConsolePage> {
  const [organization, { items }] = await Promise.all([
    organizationOf(visit),
    visit.api.get<{ items: readonly Schema[] }>(apiOf(visit, '/extension-schemas')),
  ]);
  const { t, at } = visit;
  const texts = settingsTexts[visit.language];
  const add = { href: at(pathOf(visit, '/settings/schemas/edit')), label: texts.addSchema };
  const rows = items.map(({ id, name, attributes }) => [
    html`${name}<br>${exact(id)}`,
    attributes.map((attribute) => `${attribute.name} (${attribute.type})`).join(', '),
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

/** The form for a schema as JSON. */
export async function schemaPage(
  visit: ConsoleVisit,
  refused: { problem?: ApiProblem; jsonError?: string } = {},
): Promise<ConsolePage> {
  const { at, t } = visit;
  const texts = settingsTexts[visit.language];
  const given = queryText(visit, 'id') || fieldText(visit, 'edited');
  const organization = await organizationOf(visit);
  const stored = given === '' ? undefined : await visit.api.get<Schema>(schemaApi(visit, given));
  const { id: _, ...body } = stored ?? { id: '' };
  const text = stored === undefined ? example : JSON.stringify(body, undefined, 2);
  const { problem, jsonError } = refused;
  const isTyped = problem !== undefined || jsonError !== undefined;
  const content = form(visit, {
    action: pathOf(visit, '/settings/schemas/edit'),
    hidden: { edited: given },
    content: html`${field({ name: 'id', label: 'URN', value: isTyped ? fieldText(visit, 'id') : given, hint: texts.urnHint, isRequired: true, maxLength: 200, isExact: true, placeholder: 'urn:example:scim:badge:2.0:User' })}
${field({ name: 'json', label: texts.json, value: isTyped ? fieldText(visit, 'json') : text, rows: 16, isExact: true, hint: texts.jsonHint, error: jsonError })}
${buttons(t.save, { cancel: { href: at(pathOf(visit, '/settings/schemas')), label: t.cancel } })}`,
  });
  return {
    title: stored?.name ?? texts.addSchema,
    organization,
    crumbs: crumbsOf(visit, 'schemas'),
    content: card(texts.schema, content, { hint: stored && texts.replaceHint }),
    ...(isTyped && { status: problem?.status ?? 400 }),
    ...(problem && { alert: problemText(problem) }),
  };
}

/** Adds or replaces a schema. */
export async function putSchema(visit: ConsoleVisit): Promise<ConsolePage | GoTo> {
  const read = readJson(fieldText(visit, 'json'));
  if ('error' in read) return schemaPage(visit, { jsonError: read.error });
  const path = schemaApi(visit, fieldText(visit, 'id'));
  const problem = await refusalOf(() => visit.api.send('PUT', path, read.value));
  return problem ? schemaPage(visit, { problem }) : { goTo: pathOf(visit, '/settings/schemas') };
}

/** Asks before a schema is removed. */
export async function removeSchemaPage(visit: ConsoleVisit, isWrong = false): Promise<ConsolePage> {
  const id = isWrong ? fieldText(visit, 'id') : queryText(visit, 'id');
  const texts = settingsTexts[visit.language];
  const { name, attributes } = await visit.api.get<Schema>(schemaApi(visit, id));
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
  return confirmRemovalPage(visit, removal, isWrong);
}

/** Removes a schema. */
export async function removeSchema(visit: ConsoleVisit): Promise<ConsolePage | GoTo> {
  const path = schemaApi(visit, fieldText(visit, 'id'));
  const { name } = await visit.api.get<Schema>(path);
  if (!isConfirmed(visit, name)) return removeSchemaPage(visit, true);
  await visit.api.send('DELETE', path);
  return { goTo: pathOf(visit, '/settings/schemas') };
}

function schemaApi(visit: ConsoleVisit, id: string): string {
  if (id === '') throw new ApiProblem({ status: 404, id: '', detail: 'No schema', challenge: '' });
  return apiOf(visit, `/extension-schemas/${segmentOf(id)}`);
}
