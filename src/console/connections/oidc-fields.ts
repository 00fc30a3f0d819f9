import { type Html, html } from '#src/http/pages/html.js';
import { endOfDay, lastDayField } from '../credentials/expiry.js';
import { credentialTexts } from '../credentials/texts/texts.js';
import { checkbox, field, select } from '../http/form.js';
import { exact, facts } from '../http/parts.js';
import { type ConsoleVisit, fieldLines, fieldText } from '../http/visit.js';
import type { ConnectionView } from './connection-view.js';
import { endpointControls, endpointNames, type ShownOidcProvider } from './shown-connection.js';
import { connectionsTexts } from './texts/texts.js';

const authMethods = ['client_secret_basic', 'client_secret_post', 'private_key_jwt', 'none'] as const;

/** The fields of a provider of OpenID Connect. Its issuer never changes. */
export function oidcFields(
  { visit, connection, text, isOn }: ConnectionView,
  provider: ShownOidcProvider,
): Html {
  const { language } = visit;
  const texts = connectionsTexts[language];
  const address = connection.protocol === 'oidc' ? connection.postLogoutRedirectUri : '';
  const endsSessionHint = texts.endsSessionHint.replace('{address}', address);
  const hasIdTokens = provider.api === undefined;
  return html`<fieldset><legend>${texts.provider}</legend>
${facts([[texts.issuer, exact(provider.issuer)]])}
${field({ name: 'clientId', label: 'client_id', value: text('clientId', provider.clientId), isRequired: true, maxLength: 500, isExact: true })}
${field({ name: 'clientSecret', label: credentialTexts[language].secret, maxLength: 1000, isExact: true, isMasked: true, hint: provider.hasSecret ? texts.secretChangeHint : texts.secretHint })}
${lastDayField(visit, { name: 'clientSecretEnds', label: texts.secretEnds, value: text('clientSecretEnds', (connection.credentialEnds ?? '').slice(0, 10)), hint: texts.secretEndsHint })}
${
  hasIdTokens &&
  select({
    name: 'authMethod',
    label: texts.authMethod,
    choices: authMethods.map((value) => ({ value, label: texts[`authMethod_${value}`] })),
    value: text('authMethod', provider.authMethod),
  })
}
${field({ name: 'scopes', label: texts.scopes, value: text('scopes', provider.scopes.join('\n')), rows: 3, isExact: true })}
${
  hasIdTokens &&
  html`${field({ name: 'hostedDomain', label: texts.hostedDomain, value: text('hostedDomain', provider.hostedDomain ?? ''), maxLength: 253, isExact: true, hint: texts.hostedDomainHint })}
${field({ name: 'multiFactorAcrs', label: texts.multiFactorAcrs, value: text('multiFactorAcrs', provider.multiFactorAcrs.join('\n')), rows: 2, isExact: true })}
${checkbox({ name: 'answersByForm', label: texts.answersByForm, hint: texts.answersByFormHint, isChecked: isOn('answersByForm', provider.answersByForm) })}
${checkbox({ name: 'readsUserInfo', label: texts.readsUserInfo, isChecked: isOn('readsUserInfo', provider.readsUserInfo) })}
${checkbox({ name: 'endsSession', label: texts.endsSession, hint: endsSessionHint, isChecked: isOn('endsSession', provider.endsSession) })}`
}
</fieldset>
${hasIdTokens && html`<fieldset><legend>${texts.endpoints}</legend><p class="hint">${texts.endpointsHint}</p>${endpointNames.map((name) => field({ name: endpointControls[name], label: texts[`endpoint_${name}`], value: text(endpointControls[name], provider.endpoints?.[name] ?? ''), maxLength: 500, isExact: true }))}</fieldset>`}`;
}

/** The change that the fields ask for. An empty secret changes none. */
export function oidcBody(visit: ConsoleVisit, provider: ShownOidcProvider): object {
  const typed = (name: string) => fieldText(visit, name);
  const secret = typed('clientSecret');
  return {
    ...(secret !== '' && { clientSecret: secret }),
    clientSecretEnds: endOfDay(visit, 'clientSecretEnds') ?? null,
    provider: {
      clientId: typed('clientId'),
      scopes: fieldLines(visit, 'scopes'),
      ...(provider.api === undefined && tokenSettings(visit, provider)),
    },
  };
}

/** What a provider with ID tokens has besides. */
function tokenSettings(visit: ConsoleVisit, provider: ShownOidcProvider): object {
  const typed = (name: string) => fieldText(visit, name);
  const given = endpointNames
    .map((name) => [name, typed(endpointControls[name])] as const)
    .filter(([, text]) => text !== '');
  const had = provider.endpoints !== undefined;
  return {
    authMethod: typed('authMethod'),
    hostedDomain: typed('hostedDomain'),
    multiFactorAcrs: fieldLines(visit, 'multiFactorAcrs'),
    answersByForm: typed('answersByForm') === 'on',
    readsUserInfo: typed('readsUserInfo') === 'on',
    endsSession: typed('endsSession') === 'on',
    ...(given.length > 0 ? { endpoints: Object.fromEntries(given) } : had && { endpoints: null }),
  };
}
