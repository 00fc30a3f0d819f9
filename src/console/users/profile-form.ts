import { type Html, html } from '#src/http/pages/html.js';
import { field } from '../http/form.js';
import { type ConsoleVisit, fieldText } from '../http/visit.js';
import { linesOf, type ProfileField, type ProfileTexts, profileFields } from './profile-fields.js';
import { usersTexts } from './texts.js';

/** The fields of a profile, by section. */
export function profileForm(
  { language }: Pick<ConsoleVisit, 'language'>,
  { fields, values }: { fields: readonly ProfileField[]; values: ProfileTexts },
): Html {
  const own = usersTexts[language];
  const sections = (['person', 'contact', 'work', 'settings'] as const).filter((section) =>
    fields.some((one) => one.section === section),
  );
  return html`${sections.map(
    (section) => html`<fieldset class="section"><legend>${own.sections[section]}</legend>
${fields.filter((one) => one.section === section).map((one) => input(one, own, values[one.name] ?? ''))}
</fieldset>`,
  )}`;
}

function input(
  { name, isList, isRequired, isExact }: ProfileField,
  { fields, hints }: (typeof usersTexts)['en'],
  value: string,
): Html {
  const hint = hints[name];
  return field({
    name,
    label: fields[name],
    value,
    ...(hint !== undefined && { hint }),
    ...(isList && { rows: 2 }),
    ...(isRequired && { isRequired }),
    ...(isExact && { isExact }),
  });
}

/** What the person typed. A list is its lines. */
export function typedTexts(visit: Pick<ConsoleVisit, 'request'>): ProfileTexts {
  return Object.fromEntries(
    profileFields.map(({ name, isList }) => {
      const text = fieldText(visit, name);
      return [name, isList ? linesOf(text).join('\n') : text];
    }),
  );
}
