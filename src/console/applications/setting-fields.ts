import {
  type AnySetting,
  type SettingValue,
  settingNamed,
  settingNames,
} from '#src/clients/applications/index.js';
import { type Html, html } from '#src/http/pages/html.js';
import { checkbox, field, select } from '../http/form.js';
import { type ConsoleVisit, fieldLines, fieldText, fieldValues } from '../http/visit.js';
import type { ShownApplication } from '../resources/application.js';
import { applicationsTexts, type FormSetting } from './texts/texts.js';

/** The settings that the form asks for, in the order of the table. */
export const formSettings = settingNames.filter(
  (name): name is FormSetting => settingNamed(name).form !== undefined,
);

/** Whether the form for an API has a field for the setting. */
export function isAskedOfApis(name: FormSetting): boolean {
  const { form, signInOnly } = settingNamed(name);
  return form?.section === 'more' && signInOnly !== true;
}

/** The label of the field. */
export function settingLabel({ language }: Pick<ConsoleVisit, 'language'>, name: FormSetting): string {
  return applicationsTexts[language][name];
}

/** The field for a setting, with the stored value or with what the person typed. */
export function settingField(
  visit: ConsoleVisit,
  name: FormSetting,
  { application, isTyped }: { application: ShownApplication; isTyped: boolean },
): Html {
  const setting = settingNamed(name);
  const stored = textsOf(application, name);
  const shared = { name, label: settingLabel(visit, name), hint: hintOf(visit, name) };
  const value = isTyped ? fieldText(visit, name) : stored.join('\n');
  switch (setting.kind) {
    case 'text':
      return field({ ...shared, value, maxLength: setting.maxLength });
    case 'addresses':
    case 'identifiers':
      return field({ ...shared, value, rows: setting.form?.rows ?? 3, isExact: true });
    case 'choice': {
      const choices = valuesOf(setting, application).map((word) => ({ value: word, label: word }));
      return select({ ...shared, choices: [...noChoice(visit, name), ...choices], value });
    }
    case 'flag': {
      const isChecked = isTyped ? isTickedNow(visit, name) : isTicked(application, name);
      return checkbox({ ...shared, name: boxName(name), isChecked });
    }
    case 'set': {
      const chosen = isTyped ? fieldValues(visit, name) : stored;
      return html`<fieldset><legend>${shared.label}</legend>${valuesOf(setting, application).map((word) => checkbox({ name, value: word, label: word, isChecked: chosen.includes(word) }))}</fieldset>`;
    }
  }
}

/** The word for no choice, if an application may lack the setting. */
function noChoice({ language }: Pick<ConsoleVisit, 'language'>, name: FormSetting) {
  if (!isRemovable(name)) return [];
  const texts: Readonly<Record<string, string>> = applicationsTexts[language];
  return [{ value: '', label: texts[`${name}Absent`] ?? applicationsTexts[language].asService }];
}

function isRemovable(name: FormSetting): boolean {
  const { required, default: usual } = settingNamed(name);
  return required !== true && usual === undefined;
}

/** The value of a setting that the person typed. Null removes the setting. */
export function typedSetting(visit: ConsoleVisit, name: FormSetting): SettingValue | null {
  switch (settingNamed(name).kind) {
    case 'addresses':
    case 'identifiers':
      return fieldLines(visit, name);
    case 'set':
      return fieldValues(visit, name);
    case 'flag':
      return isTickedNow(visit, name) !== isOpposite(name);
    default:
      return fieldText(visit, name) || (isRemovable(name) ? null : '');
  }
}

/** The stored value of a setting, in words. */
export function settingInWords(
  { t, language }: Pick<ConsoleVisit, 't' | 'language'>,
  application: ShownApplication,
  name: FormSetting,
): string {
  switch (settingNamed(name).kind) {
    case 'flag':
      return isTicked(application, name) ? t.yes : t.no;
    case 'set':
      return textsOf(application, name).join(', ');
    default:
      return textsOf(application, name).join(' ') || (noChoice({ language }, name)[0]?.label ?? '');
  }
}

function hintOf({ language }: ConsoleVisit, name: FormSetting): string | undefined {
  const texts: Readonly<Record<string, string>> = applicationsTexts[language];
  return settingNamed(name).form?.hint && texts[`${name}Hint`];
}

/** The words from which a person chooses for an application of this type. */
function valuesOf(
  { values, valuesOf: ofTypes }: Extract<AnySetting, { values: readonly string[] }>,
  { type }: ShownApplication,
): readonly string[] {
  return ofTypes?.[type] ?? values;
}

/** The boxes whose names differ from those of their settings. */
export const boxNames: Readonly<Record<string, string>> = Object.fromEntries(
  formSettings.map((name) => [name, boxName(name)] as const).filter(([name, box]) => name !== box),
);

/** The name of the box of a flag. */
function boxName(name: FormSetting): string {
  return settingNamed(name).form?.opposite ?? name;
}

function isOpposite(name: FormSetting): boolean {
  return settingNamed(name).form?.opposite !== undefined;
}

/** Whether the person ticked the box of a flag. */
function isTickedNow(visit: ConsoleVisit, name: FormSetting): boolean {
  return fieldText(visit, boxName(name)) === 'on';
}

/** Whether the stored flag is a ticked box. */
function isTicked(application: ShownApplication, name: FormSetting): boolean {
  return (application[name] === true) !== isOpposite(name);
}

function textsOf(application: ShownApplication, name: FormSetting): string[] {
  return [application[name] ?? []].flat().map(String);
}
