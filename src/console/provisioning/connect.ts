import { html } from '#src/http/pages/html.js';
import { endOfDay, lastDayField } from '../credentials/expiry.js';
import type { ApiProblem } from '../http/api.js';
import { buttons, checkbox, field, form, select } from '../http/form.js';
import { isRefusal } from '../http/refused.js';
import type { ConsolePage } from '../http/respond.js';
import { segmentOf } from '../http/segments.js';
import { type ConsoleVisit, fieldText } from '../http/visit.js';
import { apiOf, organizationOf, pathOf } from '../resources/organization-of.js';
import { addWithRole } from '../service-users/add-with-role.js';
import { type ClientCredential, clients } from './clients.js';
import { connectedPage } from './connected-page.js';
import { provisioningTexts } from './texts/texts.js';

/** The form for a connection: the client, and how it proves itself. */
export async function connectPage(visit: ConsoleVisit, refused?: ApiProblem): Promise<ConsolePage> {
  const { at, t, language } = visit;
  const texts = provisioningTexts[language];
  const back = pathOf(visit, '/provisioning');
  const isTyped = refused !== undefined;
  const content = form(visit, {
    action: `${back}/connect`,
    content: html`${select({ name: 'client', label: texts.client, choices: clients.map(({ key, name }) => ({ value: key, label: name ?? texts.otherClient })), value: fieldText(visit, 'client') })}
${field({ name: 'userName', label: texts.userName, value: fieldText(visit, 'userName'), isRequired: true, maxLength: 200, isExact: true, hint: texts.userNameHint, placeholder: 'entra' })}
${select({
  name: 'credential',
  label: texts.credential,
  choices: [
    { value: '', label: texts.credentialDefault },
    { value: 'secret', label: texts.credentialSecret },
    { value: 'token', label: texts.credentialToken },
  ],
  value: fieldText(visit, 'credential'),
  hint: texts.credentialHint,
})}
${lastDayField(visit, { name: 'expires', label: texts.expires, value: isTyped ? fieldText(visit, 'expires') : inOneYear(), hint: texts.expiresHint })}
${checkbox({ name: 'ignorePasswords', label: texts.ignorePasswords, hint: texts.ignorePasswordsHint, isChecked: isTyped ? fieldText(visit, 'ignorePasswords') === 'on' : true })}
${buttons(texts.connect, { cancel: { href: at(back), label: t.cancel } })}`,
  });
  return {
    title: texts.connect,
    organization: await organizationOf(visit),
    crumbs: [{ href: at(back), label: t.nav.provisioning }],
    content: html`<div class="card">${content}</div>`,
    ...(refused && { refused: { problem: refused } }),
  };
}

function inOneYear(): string {
  return new Date(Date.now() + 364 * 24 * 3_600_000).toISOString().slice(0, 10);
}

/** Adds the service user with its role and its credential, tries the credential, and shows it this once. */
export async function connect(visit: ConsoleVisit): Promise<ConsolePage> {
  const client = clients.find(({ key }) => key === fieldText(visit, 'client')) ?? clients[0];
  const texts = provisioningTexts[visit.language];
  const given = {
    name: client.name ?? texts.otherClient,
    userName: fieldText(visit, 'userName'),
    ignorePasswords: fieldText(visit, 'ignorePasswords') === 'on',
  };
  try {
    const id = await addWithRole(visit, given, 'ORG_USER_MANAGER');
    const chosen = fieldText(visit, 'credential');
    const kind = chosen === 'secret' || chosen === 'token' ? chosen : client.credential;
    return await connectedPage(visit, { id, client, credential: await addCredential(visit, id, kind) });
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return connectPage(visit, error);
  }
}

async function addCredential(
  visit: ConsoleVisit,
  id: string,
  kind: ClientCredential['kind'],
): Promise<ClientCredential> {
  const expires = endOfDay(visit, 'expires');
  const body = expires === undefined ? {} : { expires };
  const path = apiOf(visit, `/service-users/${segmentOf(id)}`);
  if (kind === 'token') {
    const { token } = await visit.api.send<{ token: string }>('POST', `${path}/tokens`, body);
    return { kind, token };
  }
  const { clientId, clientSecret } = await visit.api.send<{ clientId: string; clientSecret: string }>(
    'POST',
    `${path}/secrets`,
    body,
  );
  return { kind, clientId, clientSecret };
}
