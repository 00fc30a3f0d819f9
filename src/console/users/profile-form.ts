import type { ExtensionType } from '#src/directory/index.js';
import { type Html, html } from '#src/http/pages/html.js';
import { checkbox, type Field, field, select } from '../http/form.js';
import { type ConsoleVisit, fieldText, fieldValues } from '../http/visit.js';
import { localeChoices } from './locale-choices.js';
import { linesOf, type ProfileField, type ProfileTexts, sectionNames } from './profile-fields.js';
import { type FieldName, usersTexts } from './texts/texts.js';

type FormVisit = Pick<ConsoleVisit, 'language' | 't'>;

/**
 * The fields of a profile, by section.
 * @param shown `person`: makes the field for a user whom the person finds by name
 */
export function profileForm(
  visit: FormVisit,
  shown: {
    fields: readonly ProfileField[];
    values: ProfileTexts;
    person?: (common: { name: string; label: string; hint?: string }) => Html;
  },
): Html {
  const texts = usersTexts[visit.language];
  const { fields, values, person } = shown;
  const sections = sectionNames.filter((section) => fields.some((one) => one.section === section));
  const inputOf = (one: ProfileField) => {
    const hint = texts.hints[one.name as FieldName];
    if (one.isPerson && person)
      return person({ name: one.name, label: labelOf(one, texts), ...(hint && { hint }) });
    return input(one, visit, values[one.name] ?? '');
  };
  return html`${sections.map(
    (section) => html`<fieldset class="section"><legend>${texts.sections[section]}</legend>
${fields.filter((one) => one.section === section).map(inputOf)}
</fieldset>`,
  )}`;
}

/** What people call the field. An attribute that the organization has registered has the name of its schema. */
export function labelOf(
  { name, registered }: ProfileField,
  { fields }: Pick<(typeof usersTexts)['en'], 'fields'>,
): string {
  return registered?.label ?? fields[name as FieldName];
}

function input(one: ProfileField, { language, t }: FormVisit, value: string): Html {
  const texts = usersTexts[language];
  const { name, isList, isRequired, isExact, choices, registered } = one;
  const label = labelOf(one, texts);
  const hint = registered?.hint || texts.hints[name as FieldName];
  const common = { name, label, ...(hint && { hint }), ...(isRequired && { isRequired }) };
  if (choices !== undefined)
    return select({ ...common, value, choices: [noChoice, ...localeChoices(choices, language)] });
  if (registered?.type === 'boolean') {
    const answers = [
      { value: 'true', label: t.yes },
      { value: 'false', label: t.no },
    ];
    return select({ ...common, value, choices: [noChoice, ...answers] });
  }
  if (registered !== undefined && registered.named.length > 0) return namedValues(one, common, value);
  if (isList || value.includes('\n')) return field({ ...common, value, rows: 2 });
  const typed = typedInput(registered?.type, value);
  const unit = typed.type === 'datetime-local' ? ' (UTC)' : '';
  return field({ ...common, label: `${label}${unit}`, ...(isExact && { isExact }), ...typed });
}

/** The empty choice of a field that may have no value. */
const noChoice = { value: '', label: '–' };

/** The values that a schema names, and others that the user has: boxes for a list, and a choice for a single value. */
function namedValues(
  { name, isList, registered }: ProfileField,
  common: { name: string; label: string; hint?: string; isRequired?: boolean },
  value: string,
): Html {
  const named = registered?.named ?? [];
  if (isList !== true) {
    const choices = named.map((one) => ({ value: one, label: one }));
    return select({ ...common, value, choices: [noChoice, ...choices] });
  }
  const chosen = linesOf(value);
  return html`<fieldset><legend>${common.label}</legend>${common.hint !== undefined && html`<p class="hint">${common.hint}</p>`}
${[...new Set([...named, ...chosen])].map((one) => checkbox({ name, value: one, label: one, isChecked: chosen.includes(one) }))}</fieldset>`;
}

/** How a single value of this type is written. A value that its kind of field cannot hold stays a text. */
function typedInput(type: ExtensionType | undefined, value: string): Partial<Field> {
  const isNumber = value === '' || Number.isFinite(Number(value));
  if (type === 'integer' && isNumber) return { type: 'number', step: '1', value };
  if (type === 'decimal' && isNumber) return { type: 'number', step: 'any', value };
  if (type === 'dateTime' && (value === '' || momentInUtc.test(value)))
    return { type: 'datetime-local', step: '0.001', value: value.replace(/Z$/, '') };
  return { value };
}

/** A moment as it is stored. A field for moments has it without the Z. */
const momentInUtc = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;
const momentOfField = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?$/;

/** What the person typed. A list is its lines. */
export function typedTexts(
  visit: Pick<ConsoleVisit, 'request'>,
  fields: readonly ProfileField[],
): ProfileTexts {
  return Object.fromEntries(
    fields.map(({ name, isList, registered }) => {
      if (isList) return [name, linesOf(fieldValues(visit, name).join('\n')).join('\n')];
      const text = fieldText(visit, name).replaceAll('\r\n', '\n');
      return [name, registered?.type === 'dateTime' ? momentOf(text) : text];
    }),
  );
}

/** The stored form of what a field for moments sends. A text that is no moment stays as it is, and the API refuses it. */
function momentOf(text: string): string {
  const time = momentOfField.test(text) ? new Date(`${text}Z`) : undefined;
  return time === undefined || Number.isNaN(time.getTime()) ? text : time.toISOString();
}
