import { html } from '#src/http/pages/html.js';
import { isConfirmed, wrongName } from '../confirmation/confirm-form.js';
import { confirmRemovalPage } from '../confirmation/confirm-removal.js';
import { clientApi } from '../credentials/client.js';
import { credentialTexts } from '../credentials/texts/texts.js';
import { facts } from '../http/parts.js';
import { refusalOf } from '../http/refused.js';
import type { ConsolePage, GoTo } from '../http/respond.js';
import { segmentOf } from '../http/segments.js';
import { type ConsoleVisit, param } from '../http/visit.js';
import type { ApiRefusal } from '../refusals/refusal.js';
import { organizationOf, pathOf } from '../resources/organization-of.js';
import type { ShownServiceUser } from './service-user.js';
import { serviceUsersTexts } from './texts/texts.js';

/** Asks before a service user is removed, and counts what ends with it. */
export async function removeServiceUserPage(visit: ConsoleVisit, problem?: ApiRefusal): Promise<ConsolePage> {
  const { at, language, t, api } = visit;
  const [texts, shared] = [serviceUsersTexts[language], credentialTexts[language]];
  const count = async (kind: string) => {
    const { items, next } = await api.get<{ items: unknown[]; next?: string }>(
      clientApi(visit, 'service-users', `/${kind}`),
    );
    return `${items.length}${next === undefined ? '' : '+'}`;
  };
  const [organization, { name }, secrets, tokens, keys, federated] = await Promise.all([
    organizationOf(visit),
    api.get<ShownServiceUser>(clientApi(visit, 'service-users')),
    count('secrets'),
    count('tokens'),
    count('keys'),
    count('federated-credentials'),
  ]);
  const text = html`<p>${texts.removeText}</p>${facts([
    [shared.secrets, secrets],
    [shared.tokens, tokens],
    [shared.keys, keys],
    [shared.federated, federated],
  ])}`;
  const back = `/service-users/${segmentOf(param(visit, 'id'))}`;
  const removal = {
    organization,
    title: texts.removeTitle,
    text,
    name,
    action: `${back}/remove`,
    back,
    crumbs: [
      { href: at(pathOf(visit, '/service-users')), label: t.nav.serviceUsers },
      { href: at(pathOf(visit, back)), label: name },
    ],
  };
  return confirmRemovalPage(visit, removal, problem);
}

/** Removes a service user with its credentials. */
export async function removeServiceUser(visit: ConsoleVisit): Promise<ConsolePage | GoTo> {
  const path = clientApi(visit, 'service-users');
  const { name } = await visit.api.get<ShownServiceUser>(path);
  if (!isConfirmed(visit, name)) return removeServiceUserPage(visit, wrongName);
  const problem = await refusalOf(() => visit.api.send('DELETE', path));
  if (problem === undefined) return { goTo: `${pathOf(visit, '/service-users')}?done=removed` };
  const page = await removeServiceUserPage(visit);
  return { ...page, refused: { problem } };
}
