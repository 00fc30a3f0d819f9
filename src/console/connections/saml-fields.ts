import { type Html, html } from '#src/http/pages/html.js';
import { checkbox, field, select } from '../http/form.js';
import { exact, facts } from '../http/parts.js';
import { type ConsoleVisit, fieldLines, fieldText } from '../http/visit.js';
import type { ConnectionView } from './connection-view.js';
import { connectionPath, type ShownSaml } from './shown-connection.js';
import { connectionsTexts } from './texts/texts.js';

const signedParts = ['assertion', 'response'] as const;
const nameIdFormats = ['persistent', 'unspecified', 'emailAddress', 'transient'] as const;

/** The fields of a provider of SAML. Its addresses and certificates come from metadata, which has a page of its own. */
export function samlFields({ visit, text, isOn }: ConnectionView, { provider, service }: ShownSaml): Html {
  const { at, language } = visit;
  const texts = connectionsTexts[language];
  const endsSessionHint = texts.endsSessionSamlHint.replace('{address}', service.sloUrl);
  return html`<fieldset><legend>${texts.provider}</legend>
${facts([
  [texts.issuer, exact(provider.issuer)],
  [texts.signInAt, exact(provider.signIn.address)],
])}<p><a href="${at(connectionPath(visit, '/metadata'))}">${texts.metadata}</a></p>
${select({
  name: 'nameIdFormat',
  label: texts.nameIdFormat,
  choices: nameIdFormats.map((value) => ({ value, label: value })),
  value: text('nameIdFormat', provider.nameIdFormat),
})}
${field({ name: 'subjectAttribute', label: texts.subjectAttribute, value: text('subjectAttribute', provider.subjectAttribute ?? ''), maxLength: 200, isExact: true, hint: texts.subjectAttributeHint })}
${select({
  name: 'signedPart',
  label: texts.signedPart,
  choices: signedParts.map((value) => ({ value, label: texts[`signedPart_${value}`] })),
  value: text('signedPart', provider.signedPart),
})}
${field({ name: 'multiFactorAcrs', label: texts.multiFactorContexts, value: text('multiFactorAcrs', provider.multiFactorAcrs.join('\n')), rows: 2, isExact: true })}
${checkbox({ name: 'signsRequests', label: texts.signsRequests, hint: texts.signsRequestsHint, isChecked: isOn('signsRequests', provider.signsRequests) })}
${checkbox({ name: 'startsAtProvider', label: texts.startsAtProvider, hint: texts.startsAtProviderHint, isChecked: isOn('startsAtProvider', provider.startsAtProvider) })}
${checkbox({ name: 'allowsSha1', label: texts.allowsSha1, hint: texts.allowsSha1Hint, isChecked: isOn('allowsSha1', provider.allowsSha1) })}
${checkbox({ name: 'endsSession', label: texts.endsSession, hint: endsSessionHint, isChecked: isOn('endsSession', provider.endsSession) })}
</fieldset>`;
}

/** The change that the fields ask for. */
export function samlBody(visit: ConsoleVisit): object {
  const typed = (name: string) => fieldText(visit, name);
  const isOn = (name: string) => typed(name) === 'on';
  return {
    protocol: 'saml',
    provider: {
      nameIdFormat: typed('nameIdFormat'),
      subjectAttribute: typed('subjectAttribute'),
      signedPart: typed('signedPart'),
      multiFactorAcrs: fieldLines(visit, 'multiFactorAcrs'),
      signsRequests: isOn('signsRequests'),
      startsAtProvider: isOn('startsAtProvider'),
      allowsSha1: isOn('allowsSha1'),
      endsSession: isOn('endsSession'),
    },
  };
}
