import { type Html, html } from '#src/http/pages/html.js';
import { ApiProblem } from '../http/api.js';
import { buttons, field, form } from '../http/form.js';
import { card, emptyList, exact, facts, moment, shownOnce, table } from '../http/parts.js';
import { type ConsoleVisit, fieldText } from '../http/visit.js';
import { type ClientKind, type CredentialOutcome, clientApi, clientPath, removeLink } from './client.js';
import { endOfDay, expiry, lastDayField } from './expiry.js';
import { credentialTexts } from './texts/texts.js';

interface Key {
  readonly kid: string;
  readonly jwk: Readonly<Record<string, unknown>>;
  readonly created: string;
  readonly expires?: string;
}

/** The public keys of a client, and the form for another one. */
export async function keysCard(visit: ConsoleVisit, kind: ClientKind): Promise<Html> {
  const { items } = await visit.api.get<{ items: readonly Key[] }>(clientApi(visit, kind, '/keys'));
  const { t, language } = visit;
  const texts = credentialTexts[language];
  const rows = items.map(({ kid, jwk, created, expires }) => [
    exact(kid),
    String(jwk['alg'] ?? jwk['kty'] ?? ''),
    moment(created, language),
    expiry(visit, expires),
    removeLink(visit, kind, ['/keys', kid]),
  ]);
  const add = form(visit, {
    action: clientPath(visit, kind, '/keys'),
    content: html`${field({ name: 'jwkJson', label: texts.publicKey, value: publicText(fieldText(visit, 'jwkJson')), rows: 4, isExact: true, hint: texts.publicKeyHint })}
${lastDayField(visit, { name: 'keyExpires', label: texts.expires, value: fieldText(visit, 'keyExpires'), hint: texts.expiresHint })}
${buttons(texts.addKey)}`,
  });
  const columns = [t.identifier, texts.algorithm, t.created, texts.expires, texts.actions];
  return card(
    texts.keys,
    html`${rows.length === 0 ? emptyList(texts.noKeys) : table({ caption: texts.keys, columns, rows })}<h3>${texts.addKey}</h3>${add}`,
    { hint: texts.keysHint, id: 'keys' },
  );
}

/** Adds the public key of the form, or makes a pair. @throws ApiProblem */
export async function addKey(visit: ConsoleVisit, kind: ClientKind): Promise<CredentialOutcome> {
  const texts = credentialTexts[visit.language];
  const jwk = jwkOf(fieldText(visit, 'jwkJson'));
  const expires = endOfDay(visit, 'keyExpires');
  const body = { ...(jwk && { jwk }), ...(expires !== undefined && { expires }) };
  const added = await visit.api.send<{ kid: string; clientId: string; privateJwk?: object }>(
    'POST',
    clientApi(visit, kind, '/keys'),
    body,
  );
  const shown = facts([
    [texts.clientId, exact(added.clientId)],
    ['kid', exact(added.kid)],
  ]);
  if (added.privateJwk === undefined) return { shown };
  const value = JSON.stringify(added.privateJwk);
  return { shown: html`${shownOnce({ label: texts.privateKey, value, hint: texts.onceHint })}${shown}` };
}

/** The key of the form. Undefined if the field is empty. @throws ApiProblem if the text is no JSON object */
function jwkOf(text: string): object | undefined {
  if (text === '') return undefined;
  const value = objectIn(text);
  if (value !== undefined) return value;
  throw new ApiProblem({
    status: 400,
    id: 'directory.valueInvalid',
    errors: [{ path: ['jwk'], id: 'value.json', params: {} }],
  });
}

/** What was typed, unless it may hold the secret part of a key: such a text comes back on no page. */
function publicText(text: string): string {
  const key = objectIn(text);
  return key === undefined || secretMember.test(JSON.stringify(key)) ? '' : text;
}

/** A member of private or of symmetric keys (RFC 7518 section 6), at any depth. */
const secretMember = /"(?:d|p|q|dp|dq|qi|oth|k)":/;

function objectIn(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
