import { type Html, html } from '#src/http/pages/html.js';
import { buttons, form } from '../http/form.js';
import { card, emptyList, exact, moment, shownOnce, table } from '../http/parts.js';
import { type ConsoleVisit, fieldText } from '../http/visit.js';
import { type CredentialOutcome, clientApi, clientPath, removeLink } from './client.js';
import { endOfDay, expiry, lastDayField } from './expiry.js';
import { credentialTexts } from './texts/texts.js';

interface Token {
  readonly id: string;
  readonly created: string;
  readonly expires: string;
}

/** The personal access tokens of a service user, and the form for another one. */
export async function tokensCard(visit: ConsoleVisit): Promise<Html> {
  const path = clientApi(visit, 'service-users', '/tokens');
  const { items, next } = await visit.api.get<{ items: readonly Token[]; next?: string }>(path, {
    limit: 100,
  });
  const { t, language } = visit;
  const texts = credentialTexts[language];
  const rows = items.map(({ id, created, expires }) => [
    exact(id),
    moment(created, language),
    expiry(visit, expires),
    removeLink(visit, 'service-users', ['/tokens', id]),
  ]);
  const add = form(visit, {
    action: clientPath(visit, 'service-users', '/tokens'),
    content: html`${lastDayField(visit, { name: 'tokenExpires', label: texts.expires, value: fieldText(visit, 'tokenExpires'), hint: texts.tokenExpiresHint })}
${buttons(texts.addToken)}`,
  });
  const columns = [t.identifier, t.created, texts.expires, texts.actions];
  return card(
    texts.tokens,
    html`${rows.length === 0 ? emptyList(texts.noTokens) : table({ caption: texts.tokens, columns, rows })}
${next !== undefined && html`<p class="hint">${texts.moreTokens}</p>`}<h3>${texts.addToken}</h3>${add}`,
    { hint: texts.tokensHint, id: 'tokens' },
  );
}

/** Adds a token. @throws ApiProblem */
export async function addToken(visit: ConsoleVisit): Promise<CredentialOutcome> {
  const texts = credentialTexts[visit.language];
  const expires = endOfDay(visit, 'tokenExpires');
  const { token } = await visit.api.send<{ token: string }>(
    'POST',
    clientApi(visit, 'service-users', '/tokens'),
    expires === undefined ? {} : { expires },
  );
  return { shown: shownOnce({ label: texts.token, value: token, hint: texts.onceHint }) };
}
