import { type AnySetting, settingNamed } from '#src/clients/applications/index.js';
import { type Html, type HtmlValue, html } from '#src/http/pages/html.js';
import { clientPath } from '../credentials/client.js';
import { buttons, field, form } from '../http/form.js';
import { type ConsoleVisit, fieldText } from '../http/visit.js';
import type { ShownApplication } from '../resources/application.js';
import {
  formSettings,
  isAskedOfApis,
  settingField,
  settingInWords,
  settingLabel,
  typedSetting,
} from './setting-fields.js';
import { applicationsTexts, type FormSetting } from './texts/texts.js';

/** The settings of a section of the form. Those of one kind stand together. */
function settingsIn(section: 'signIn' | 'more', ...kinds: AnySetting['kind'][]): FormSetting[] {
  return formSettings.filter((name) => {
    const { kind, form } = settingNamed(name);
    return form?.section === section && (kinds.length === 0 || kinds.includes(kind));
  });
}

const signIn = settingsIn('signIn');
const values = settingsIn('more', 'text', 'addresses', 'identifiers', 'choice');
const flags = settingsIn('more', 'flag');
const sets = settingsIn('more', 'set');

/** The form for the settings of an application. */
export function settingsForm(visit: ConsoleVisit, application: ShownApplication, isTyped: boolean): Html {
  const { t, language } = visit;
  const { type, version } = application;
  const name = isTyped ? fieldText(visit, 'name') : application.name;
  const fieldsOf = (names: readonly FormSetting[]) =>
    names
      .filter((setting) => type !== 'api' || isAskedOfApis(setting))
      .map((setting) => settingField(visit, setting, { application, isTyped }));
  return form(visit, {
    action: clientPath(visit, 'applications'),
    hidden: { type },
    shown: { version: String(version) },
    content: html`${field({ name: 'name', label: t.name, value: name, isRequired: true, maxLength: 200 })}
${onLines(fieldsOf(signIn))}
<details><summary>${applicationsTexts[language].more}</summary>
${onLines(fieldsOf(values))}
${fieldsOf(flags)}
${fieldsOf(sets)}
</details>
${buttons(t.save)}`,
  });
}

function onLines(parts: readonly Html[]): HtmlValue {
  return parts.map((part, index) => html`${index > 0 && '\n'}${part}`);
}

/** The change that the form asks for. */
export function typedSettings(visit: ConsoleVisit): object {
  const isApi = fieldText(visit, 'type') === 'api';
  const asked = formSettings.filter((name) => (!isApi || isAskedOfApis(name)) && isSent(visit, name));
  return {
    name: fieldText(visit, 'name'),
    ...Object.fromEntries(asked.map((name) => [name, typedSetting(visit, name)])),
    version: Number(fieldText(visit, 'version')),
  };
}

/** Whether the form says something about the setting. The page of an earlier version lacks later fields. An empty box is not sent. */
function isSent({ request }: ConsoleVisit, name: FormSetting): boolean {
  const { kind } = settingNamed(name);
  return kind === 'flag' || kind === 'set' || Object.hasOwn(request.body ?? {}, name);
}

/** The stored settings, for a person whose form is out of date. */
export function storedSettings(
  visit: ConsoleVisit,
  application: ShownApplication,
): readonly (readonly [string, HtmlValue])[] {
  return [
    [visit.t.name, application.name],
    ...[...signIn, ...values, ...sets, ...flags].map(
      (name) => [settingLabel(visit, name), settingInWords(visit, application, name)] as const,
    ),
  ];
}
