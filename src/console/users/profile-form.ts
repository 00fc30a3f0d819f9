import { type Html, html } from '#src/http/pages/html.js';
import { field, select } from '../http/form.js';
import { type ConsoleVisit, fieldText } from '../http/visit.js';
import { linesOf, type ProfileField, type ProfileTexts, sectionNames } from './profile-fields.js';
import { type FieldName, usersTexts } from './texts/texts.js';

/** The fields of a profile, by section. */
export function profileForm(
  { language }: Pick<ConsoleVisit, 'language'>,
  { fields, values }: { fields: readonly ProfileField[]; values: ProfileTexts },
): Html {
  const texts = usersTexts[language];
  const sections = sectionNames.filter((section) => fields.some((one) => one.section === section));
  return html`${sections.map(
    (section) => html`<fieldset class="section"><legend>${texts.sections[section]}</legend>
${fields.filter((one) => one.section === section).map((one) => input(one, texts, values[one.name] ?? ''))}
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

function input(one: ProfileField, texts: (typeof usersTexts)['en'], value: string): Html {
  const { name, isList, isRequired, isExact, registered } = one;
  const label = labelOf(one, texts);
  const hint = registered?.hint || texts.hints[name as FieldName];
  if (registered?.type === 'boolean') {
    const choices = ['', 'true', 'false'].map((choice) => ({ value: choice, label: choice }));
    return select({ name, label, choices, value, ...(hint && { hint }) });
  }
  return field({
    name,
    label,
    value,
    ...(hint && { hint }),
    ...((isList || value.includes('\n')) && { rows: 2 }),
    ...(isRequired && { isRequired }),
    ...(isExact && { isExact }),
  });
}

/** What the person typed. A list is its lines. */
export function typedTexts(
  visit: Pick<ConsoleVisit, 'request'>,
  fields: readonly ProfileField[],
): ProfileTexts {
  return Object.fromEntries(
    fields.map(({ name, isList }) => {
      const text = fieldText(visit, name);
      return [name, isList ? linesOf(text).join('\n') : text.replaceAll('\r\n', '\n')];
    }),
  );
}
