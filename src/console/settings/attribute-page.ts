import { extensionTypes } from '#src/directory/index.js';
import { type Html, html } from '#src/http/pages/html.js';
import { isConfirmed, wrongName } from '../confirmation/confirm-form.js';
import { confirmRemovalPage } from '../confirmation/confirm-removal.js';
import { ApiProblem } from '../http/api.js';
import { buttons, checkbox, field, form, select } from '../http/form.js';
import { facts } from '../http/parts.js';
import { refusalOf } from '../http/refused.js';
import type { ControlNames } from '../http/refused-form.js';
import type { ConsolePage, GoTo } from '../http/respond.js';
import { type ConsoleVisit, fieldLines, fieldText, queryText } from '../http/visit.js';
import type { ApiRefusal } from '../refusals/refusal.js';
import { organizationOf, pathOf } from '../resources/organization-of.js';
import {
  type OrganizationAttribute,
  type OrganizationSchema,
  pathOfSchema,
  schemaApi,
} from './organization-schema.js';
import { crumbsOf } from './settings-frame.js';
import { settingsTexts } from './texts/texts.js';

const flags = ['required', 'multiValued', 'unique', 'searchable'] as const;
/** The fields of an attribute whose names differ from those of the API. */
export const attributeNames: ControlNames = {
  'attributes.name': 'attribute',
  'attributes.description': 'attributeDescription',
  'attributes.canonicalValues': 'values',
  'directory.extensionLimit': 'attribute',
};
/** What an attribute keeps for ever, because users have values and indexes have keys. */
const fixed = ['multiValued', 'unique', 'searchable'] as const;

/**
 * The fields of an attribute. The type decides which of them count.
 * @param stored an attribute whose type, and what depends on it, cannot change. Absent for a new one
 * @param isTyped whether the fields have what was typed
 */
export function attributeFields(
  visit: ConsoleVisit,
  { stored, isTyped }: { stored?: OrganizationAttribute; isTyped: boolean },
): Html {
  const { t, language } = visit;
  const texts = settingsTexts[language].attribute;
  const text = (name: 'attribute' | 'attributeDescription' | 'values', of = '') =>
    isTyped ? fieldText(visit, name) : of;
  const isOn = (name: (typeof flags)[number]) =>
    isTyped ? fieldText(visit, name) === 'on' : stored?.[name] === true;
  const flag = (name: (typeof flags)[number], className = '') =>
    html`<div class="${className}">${checkbox({ name, label: texts[name], hint: texts[`${name}Hint`], isChecked: isOn(name) })}</div>`;
  const description = field({
    name: 'attributeDescription',
    label: texts.description,
    hint: texts.descriptionHint,
    value: text('attributeDescription', stored?.description),
    maxLength: 500,
  });
  const values = html`<div class="of-text">${field({ name: 'values', label: texts.values, hint: texts.valuesHint, rows: 3, value: text('values', stored?.canonicalValues?.join('\n')) })}</div>`;
  if (stored !== undefined) {
    return html`${facts([
      [t.name, html`<code>${stored.name}</code>`],
      [texts.type, texts.types[stored.type]],
      ...fixed.map((name) => [texts[name], stored[name] ? t.yes : t.no] as const),
    ])}<p class="hint">${texts.fixedHint}</p>
${description}${flag('required')}${stored.type === 'string' && values}`;
  }
  const choices = extensionTypes.map((value) => ({ value, label: texts.types[value] }));
  return html`<div class="kinds">${field({ name: 'attribute', label: t.name, hint: texts.nameHint, value: text('attribute'), isRequired: true, isExact: true, maxLength: 64 })}
${select({ name: 'type', label: texts.type, choices, value: isTyped ? fieldText(visit, 'type') : 'string' })}
${description}${flag('required')}${flag('multiValued', 'of-list')}${flag('unique', 'of-key')}${flag('searchable', 'of-key')}${values}</div>`;
}

/** The attribute that the form states. What its type cannot have is left out, because the page hides it. */
export function attributeOf(visit: ConsoleVisit, stored?: OrganizationAttribute): OrganizationAttribute {
  const type = stored?.type ?? fieldText(visit, 'type');
  const isText = type === 'string' || type === 'reference';
  const allowed = {
    required: true,
    multiValued: isText,
    unique: isText || type === 'integer',
    searchable: isText || type === 'integer',
  };
  const given = Object.fromEntries(
    flags.map((name) => [name, allowed[name] && fieldText(visit, name) === 'on']),
  );
  const values = type === 'string' ? fieldLines(visit, 'values') : [];
  const { canonicalValues: _before, ...others } = stored ?? {};
  return {
    name: fieldText(visit, 'attribute'),
    type,
    ...given,
    ...others,
    ...(stored && { required: given['required'] === true }),
    description: fieldText(visit, 'attributeDescription'),
    ...(values.length > 0 && { canonicalValues: values }),
  } as OrganizationAttribute;
}

interface AttributeOfPage {
  readonly schema: OrganizationSchema;
  readonly stored: OrganizationAttribute | undefined;
}

/** @param from reads `id` and `name` of the page or of its form */
async function attributeOfPage(
  visit: ConsoleVisit,
  from: (visit: ConsoleVisit, name: string) => string,
): Promise<AttributeOfPage> {
  const schema = await visit.api.get<OrganizationSchema>(schemaApi(visit, from(visit, 'id')));
  const name = from(visit, 'name');
  const stored = schema.attributes.find((one) => one.name === name);
  if (name === '' || stored !== undefined) return { schema, stored };
  throw new ApiProblem({ status: 404, id: '', detail: 'No attribute' });
}

/** The form for an attribute: a new one, or what may change of one that users have. */
export async function attributePage(visit: ConsoleVisit, problem?: ApiProblem): Promise<ConsolePage | GoTo> {
  const { at, t, language } = visit;
  const texts = settingsTexts[language].attribute;
  const isTyped = problem !== undefined;
  if (!isTyped && queryText(visit, 'id') === '') return { goTo: pathOf(visit, '/settings/schemas') };
  const { schema, stored } = await attributeOfPage(visit, isTyped ? fieldText : queryText);
  const content = form(visit, {
    action: pathOf(visit, '/settings/schemas/attribute'),
    hidden: { id: schema.id, name: stored?.name ?? '' },
    content: html`${attributeFields(visit, { isTyped, ...(stored && { stored }) })}
${buttons(t.save, { cancel: { href: at(pathOfSchema(visit, schema.id)), label: t.cancel } })}`,
  });
  return {
    title: stored?.name ?? texts.add,
    organization: await organizationOf(visit),
    crumbs: [...crumbsOf(visit, 'schemas'), { href: at(pathOfSchema(visit, schema.id)), label: schema.name }],
    content: html`<div class="card">${content}</div>`,
    ...(problem && { refused: { problem, names: attributeNames } }),
  };
}

/** Adds the attribute to its schema, or changes it. */
export async function putAttribute(visit: ConsoleVisit): Promise<ConsolePage | GoTo> {
  const { schema, stored } = await attributeOfPage(visit, fieldText);
  const attribute = attributeOf(visit, stored);
  const attributes =
    stored === undefined
      ? [...schema.attributes, attribute]
      : schema.attributes.map((one) => (one === stored ? attribute : one));
  const { id, ...body } = { ...schema, attributes };
  const problem = await refusalOf(() => visit.api.send('PUT', schemaApi(visit, id), body));
  return problem ? attributePage(visit, problem) : { goTo: pathOfSchema(visit, id, 'saved') };
}

/** Asks before an attribute is removed. */
export async function removeAttributePage(visit: ConsoleVisit, problem?: ApiRefusal): Promise<ConsolePage> {
  const { at, language } = visit;
  const texts = settingsTexts[language].attribute;
  const { schema, stored } = await attributeOfPage(
    visit,
    fieldText(visit, 'id') === '' ? queryText : fieldText,
  );
  const back = `/settings/schemas/edit?${new URLSearchParams({ id: schema.id })}`;
  const removal = {
    organization: await organizationOf(visit),
    title: texts.remove,
    text: html`<p>${texts.removeText}</p>`,
    name: stored?.name ?? '',
    hidden: { id: schema.id, name: stored?.name ?? '' },
    action: '/settings/schemas/attribute/remove',
    back,
    crumbs: [...crumbsOf(visit, 'schemas'), { href: at(pathOfSchema(visit, schema.id)), label: schema.name }],
  };
  return confirmRemovalPage(visit, removal, problem);
}

/** Removes an attribute. A schema keeps one at least. */
export async function removeAttribute(visit: ConsoleVisit): Promise<ConsolePage | GoTo> {
  const { schema, stored } = await attributeOfPage(visit, fieldText);
  if (stored === undefined || !isConfirmed(visit, stored.name)) return removeAttributePage(visit, wrongName);
  const { id, ...body } = { ...schema, attributes: schema.attributes.filter((one) => one !== stored) };
  const problem = await refusalOf(() => visit.api.send('PUT', schemaApi(visit, id), body));
  if (problem) return removeAttributePage(visit, problem);
  return { goTo: pathOfSchema(visit, id, 'removed') };
}

/** A row of the table of attributes. */
export function attributeTable(
  visit: ConsoleVisit,
  schema: OrganizationSchema,
): readonly (readonly Html[])[] {
  const { at, t, language } = visit;
  const texts = settingsTexts[language].attribute;
  const address = (path: string, name: string) =>
    at(pathOf(visit, `/settings/schemas/${path}`), { id: schema.id, name });
  return schema.attributes.map((one) => [
    html`<code>${one.name}</code>`,
    html`${texts.types[one.type]}`,
    html`${flags
      .filter((name) => one[name])
      .map((name) => texts[name])
      .join(', ')}`,
    html`<div class="actions"><a class="button quiet" href="${address('attribute', one.name)}">${t.edit}</a>${
      schema.attributes.length > 1 &&
      html` <a class="button quiet danger" href="${address('attribute/remove', one.name)}">${t.remove}</a>`
    }</div>`,
  ]);
}
