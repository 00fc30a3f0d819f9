import { type Html, type HtmlValue, html } from '#src/http/pages/html.js';
import { clientPath } from '../credentials/client.js';
import { buttons, checkbox, field, form, select } from '../http/form.js';
import { type ConsoleVisit, fieldLines, fieldText, fieldValues } from '../http/visit.js';
import type { ShownApplication } from './application.js';
import { applicationsTexts } from './texts/texts.js';

const exchange = 'urn:ietf:params:oauth:grant-type:token-exchange';
const grants = ['authorization_code', 'refresh_token', 'implicit', exchange] as const;
const responses = ['code', 'id_token', 'id_token token'] as const;
const methodsOf: Readonly<Record<ShownApplication['type'], readonly string[]>> = {
  web: ['client_secret_basic', 'client_secret_post', 'private_key_jwt', 'none'],
  spa: ['none'],
  native: ['none'],
  api: ['client_secret_basic', 'private_key_jwt'],
};
const switches = ['strictAuthMethod', 'idTokenUserinfoAssertion'] as const;

const choicesOf = (values: readonly string[]) => values.map((value) => ({ value, label: value }));

/** The form for the settings of an application. */
export function settingsForm(visit: ConsoleVisit, application: ShownApplication, isTyped: boolean): Html {
  const { t, language } = visit;
  const own = applicationsTexts[language];
  const isApi = application.type === 'api';
  const text = (name: string, stored: string) => (isTyped ? fieldText(visit, name) : stored);
  const isOn = (name: string, stored: boolean) => (isTyped ? fieldText(visit, name) === 'on' : stored);
  const several = (name: 'responseTypes' | 'grantTypes', known: readonly string[]) => {
    const chosen = isTyped ? fieldValues(visit, name) : application[name];
    return html`<fieldset><legend>${own[name]}</legend>${known.map((value) => checkbox({ name, value, label: value, isChecked: chosen.includes(value) }))}</fieldset>`;
  };
  return form(visit, {
    action: clientPath(visit, 'applications'),
    hidden: { type: application.type },
    shown: { version: String(application.version) },
    content: html`${field({ name: 'name', label: t.name, value: text('name', application.name), isRequired: true, maxLength: 200 })}
${
  !isApi &&
  html`${field({ name: 'redirectUris', label: own.redirectUris, value: text('redirectUris', application.redirectUris.join('\n')), rows: 3, isExact: true, hint: own.exactHint })}
${field({ name: 'postLogoutRedirectUris', label: own.postLogoutRedirectUris, value: text('postLogoutRedirectUris', application.postLogoutRedirectUris.join('\n')), rows: 2, isExact: true, hint: own.postLogoutHint })}
${checkbox({ name: 'open', label: own.open, hint: own.openHint, isChecked: isOn('open', !application.orgOnly) })}`
}
<details><summary>${own.more}</summary>
${select({ name: 'authMethod', label: own.authMethod, choices: choicesOf(methodsOf[application.type]), value: text('authMethod', application.authMethod), hint: own.authMethodHint })}
${select({ name: 'accessTokenType', label: own.accessTokenType, choices: choicesOf(['opaque', 'jwt']), value: text('accessTokenType', application.accessTokenType) })}
${select({ name: 'groupsClaim', label: own.groupsClaim, choices: choicesOf(['names', 'identifiers']), value: text('groupsClaim', application.groupsClaim) })}
${switches.map((name) => checkbox({ name, label: own[name], isChecked: isOn(name, application[name]) }))}
${!isApi && several('responseTypes', responses)}${several('grantTypes', isApi ? [exchange] : grants)}
</details>
${buttons(t.save)}`,
  });
}

/** The change that the form asks for. */
export function typedSettings(visit: ConsoleVisit): object {
  const isApi = fieldText(visit, 'type') === 'api';
  const texts = ['name', 'authMethod', 'accessTokenType', 'groupsClaim'].map((name) => [
    name,
    fieldText(visit, name),
  ]);
  return {
    ...Object.fromEntries(texts),
    ...Object.fromEntries(switches.map((name) => [name, fieldText(visit, name) === 'on'])),
    grantTypes: fieldValues(visit, 'grantTypes'),
    ...(!isApi && {
      redirectUris: fieldLines(visit, 'redirectUris'),
      postLogoutRedirectUris: fieldLines(visit, 'postLogoutRedirectUris'),
      responseTypes: fieldValues(visit, 'responseTypes'),
      orgOnly: fieldText(visit, 'open') !== 'on',
    }),
    version: Number(fieldText(visit, 'version')),
  };
}

/** The stored settings, for somebody whose form is out of date. */
export function storedSettings(
  { t, language }: ConsoleVisit,
  application: ShownApplication,
): readonly (readonly [string, HtmlValue])[] {
  const own = applicationsTexts[language];
  return [
    [t.name, application.name],
    [own.redirectUris, application.redirectUris.join(' ')],
    [own.postLogoutRedirectUris, application.postLogoutRedirectUris.join(' ')],
    [own.open, application.orgOnly ? t.no : t.yes],
    [own.authMethod, application.authMethod],
    [own.accessTokenType, application.accessTokenType],
    [own.groupsClaim, application.groupsClaim],
    [own.responseTypes, application.responseTypes.join(', ')],
    [own.grantTypes, application.grantTypes.join(', ')],
    ...switches.map((name) => [own[name], application[name] ? t.yes : t.no] as const),
  ];
}
