import { type Html, html } from '#src/http/pages/html.js';
import { buttons, field, form } from '../http/form.js';
import { card, emptyList, exact, facts, moment, shownOnce, table } from '../http/parts.js';
import { type ConsoleVisit, fieldText } from '../http/visit.js';
import { type ClientKind, type CredentialOutcome, clientApi, clientPath, removeLink } from './client.js';
import { endOfDay, expiry, lastDayField } from './expiry.js';
import { credentialTexts } from './texts/texts.js';

interface Secret {
  readonly id: string;
  readonly label?: string;
  readonly created: string;
  readonly expires?: string;
  readonly lastUsed?: string;
}

/** The client secrets, and the form for another one. */
export async function secretsCard(visit: ConsoleVisit, kind: ClientKind): Promise<Html> {
  const { items } = await visit.api.get<{ items: readonly Secret[] }>(clientApi(visit, kind, '/secrets'));
  const { t, language } = visit;
  const texts = credentialTexts[language];
  const rows = items.map(({ id, label, created, expires, lastUsed }) => [
    html`${label ?? exact(id)}`,
    moment(created, language),
    moment(lastUsed, language) ?? t.never,
    expiry(visit, expires),
    removeLink(visit, kind, ['/secrets', id]),
  ]);
  const add = form(visit, {
    action: clientPath(visit, kind, '/secrets'),
    content: html`${field({ name: 'label', label: texts.label, value: fieldText(visit, 'label'), maxLength: 200, hint: texts.labelHint })}
${lastDayField(visit, { name: 'expires', label: texts.expires, value: fieldText(visit, 'expires'), hint: texts.expiresHint })}
${buttons(texts.addSecret)}`,
  });
  const columns = [texts.label, t.created, texts.lastUsed, texts.expires, texts.actions];
  return card(
    texts.secrets,
    html`${rows.length === 0 ? emptyList(texts.noSecrets) : table({ caption: texts.secrets, columns, rows })}<h3>${texts.addSecret}</h3>${add}`,
    { hint: texts.secretsHint, id: 'secrets' },
  );
}

/** Adds a secret. @throws ApiProblem */
export async function addSecret(visit: ConsoleVisit, kind: ClientKind): Promise<CredentialOutcome> {
  const texts = credentialTexts[visit.language];
  const [label, expires] = [fieldText(visit, 'label'), endOfDay(visit, 'expires')];
  const body = { ...(label !== '' && { label }), ...(expires !== undefined && { expires }) };
  const { clientId, clientSecret } = await visit.api.send<{ clientId: string; clientSecret: string }>(
    'POST',
    clientApi(visit, kind, '/secrets'),
    body,
  );
  return {
    shown: html`${shownOnce({ label: texts.secret, value: clientSecret, hint: texts.onceHint })}${facts([[texts.clientId, exact(clientId)]])}`,
  };
}
