import { type Html, html } from '#src/http/pages/html.js';
import { buttons, field, form } from '../http/form.js';
import { card, emptyList, exact, moment, table } from '../http/parts.js';
import { type ConsoleVisit, fieldText } from '../http/visit.js';
import { type CredentialOutcome, clientApi, clientPath, removeLink } from './client.js';
import { credentialTexts } from './texts/texts.js';

interface Federated {
  readonly id: string;
  readonly issuer: string;
  readonly subject: string;
  readonly audience: string;
  readonly label?: string;
  readonly lastUsed?: string;
}

/** The outside issuers whose tokens prove a service user, and the form for another one. */
export async function federatedCard(visit: ConsoleVisit): Promise<Html> {
  const path = clientApi(visit, 'service-users', '/federated-credentials');
  const { items } = await visit.api.get<{ items: readonly Federated[] }>(path);
  const { t, language } = visit;
  const texts = credentialTexts[language];
  const rows = items.map(({ id, issuer, subject, audience, label, lastUsed }) => [
    html`${label}${label !== undefined && html`<br>`}${exact(issuer)}`,
    exact(subject),
    exact(audience),
    moment(lastUsed, language) ?? t.never,
    removeLink(visit, 'service-users', ['/federated-credentials', id]),
  ]);
  const text = (name: string, label: string, more: { isRequired?: boolean; hint?: string } = {}) =>
    field({ name, label, value: fieldText(visit, name), maxLength: 500, isExact: true, ...more });
  const add = form(visit, {
    action: clientPath(visit, 'service-users', '/federated-credentials'),
    content: html`${text('issuer', texts.issuer, { isRequired: true, hint: texts.issuerHint })}
${text('subject', texts.subject, { isRequired: true })}${text('audience', texts.audience, { hint: texts.audienceHint })}
${field({ name: 'federatedLabel', label: texts.label, value: fieldText(visit, 'federatedLabel'), maxLength: 200 })}
${buttons(texts.addFederated)}`,
  });
  const columns = [texts.issuer, texts.subject, texts.audience, texts.lastUsed, texts.actions];
  return card(
    texts.federated,
    html`${rows.length === 0 ? emptyList(texts.noFederated) : table({ caption: texts.federated, columns, rows })}<h3>${texts.addFederated}</h3>${add}`,
    { hint: texts.federatedHint, id: 'federated' },
  );
}

/** Trusts the tokens of an outside issuer. @throws ApiProblem */
export async function addFederated(visit: ConsoleVisit): Promise<CredentialOutcome> {
  const [issuer, subject, audience, label] = ['issuer', 'subject', 'audience', 'federatedLabel'].map((name) =>
    fieldText(visit, name),
  ) as [string, string, string, string];
  const body = { issuer, subject, ...(audience !== '' && { audience }), ...(label !== '' && { label }) };
  await visit.api.send('POST', clientApi(visit, 'service-users', '/federated-credentials'), body);
  return {};
}
