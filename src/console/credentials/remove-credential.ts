import { html } from '#src/http/pages/html.js';
import { isConfirmed, wrongName } from '../confirmation/confirm-form.js';
import { confirmRemovalPage } from '../confirmation/confirm-removal.js';
import { exact, facts, moment } from '../http/parts.js';
import { refusalOf } from '../http/refused.js';
import type { ConsolePage, GoTo } from '../http/respond.js';
import { segmentOf } from '../http/segments.js';
import { type ConsoleVisit, param } from '../http/visit.js';
import type { ApiRefusal } from '../refusals/refusal.js';
import { organizationOf } from '../resources/organization-of.js';
import { type ClientKind, clientApi, clientPath } from './client.js';
import { credentialTexts } from './texts/texts.js';

export type CredentialKind = 'secrets' | 'keys' | 'tokens' | 'federated-credentials';

interface Credential {
  readonly id?: string;
  readonly kid?: string;
  readonly label?: string;
  readonly issuer?: string;
  readonly created: string;
  readonly lastUsed?: string;
}

/** Asks before a credential is removed. The name of its client confirms it. */
export async function removeCredentialPage(
  visit: ConsoleVisit,
  of: { client: ClientKind; kind: CredentialKind },
  problem?: ApiRefusal,
): Promise<ConsolePage> {
  const { language, t, at } = visit;
  const texts = credentialTexts[language];
  const credentialId = param(visit, 'credentialId');
  const [organization, { name }, { items }] = await Promise.all([
    organizationOf(visit),
    visit.api.get<{ name: string }>(clientApi(visit, of.client)),
    visit.api.get<{ items: readonly Credential[] }>(clientApi(visit, of.client, `/${of.kind}`)),
  ]);
  const found = items.find(({ id, kid }) => (id ?? kid) === credentialId);
  const text = html`<p>${texts.removeCredential}</p>${facts([
    [t.identifier, exact(credentialId)],
    [texts.label, found?.label],
    [texts.issuer, found?.issuer],
    [t.created, moment(found?.created, language)],
    [texts.lastUsed, moment(found?.lastUsed, language)],
  ])}`;
  const back = `/${of.client}/${segmentOf(param(visit, 'id'))}`;
  const removal = {
    organization,
    title: texts.removeCredentialTitle,
    text,
    name,
    action: `${back}/${of.kind}/${segmentOf(credentialId)}/remove`,
    back,
    crumbs: [{ href: at(clientPath(visit, of.client)), label: name }],
  };
  return confirmRemovalPage(visit, removal, problem);
}

/** Removes a credential. */
export async function removeCredential(
  visit: ConsoleVisit,
  of: { client: ClientKind; kind: CredentialKind },
): Promise<ConsolePage | GoTo> {
  const { name } = await visit.api.get<{ name: string }>(clientApi(visit, of.client));
  if (!isConfirmed(visit, name)) return removeCredentialPage(visit, of, wrongName);
  const path = `/${of.kind}/${segmentOf(param(visit, 'credentialId'))}`;
  const problem = await refusalOf(() => visit.api.send('DELETE', clientApi(visit, of.client, path)));
  if (problem) return removeCredentialPage(visit, of, problem);
  return { goTo: `${clientPath(visit, of.client)}?done=removed` };
}
