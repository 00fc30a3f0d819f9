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
import type { ShownApplication } from '../resources/application.js';
import { organizationOf, pathOf } from '../resources/organization-of.js';
import { applicationsTexts } from './texts/texts.js';

/** Asks before an application is removed, and says what ends with it. */
export async function removeApplicationPage(visit: ConsoleVisit, problem?: ApiRefusal): Promise<ConsolePage> {
  const { at, language, t, api } = visit;
  const [texts, shared] = [applicationsTexts[language], credentialTexts[language]];
  const count = async (kind: string) =>
    (await api.get<{ items: unknown[] }>(clientApi(visit, 'applications', `/${kind}`))).items.length;
  const [organization, { name, redirectUris }, secrets, keys] = await Promise.all([
    organizationOf(visit),
    api.get<ShownApplication>(clientApi(visit, 'applications')),
    count('secrets'),
    count('keys'),
  ]);
  const back = `/applications/${segmentOf(param(visit, 'id'))}`;
  const removal = {
    organization,
    title: texts.removeTitle,
    text: html`<p>${texts.removeText}</p>${facts([
      [shared.secrets, secrets],
      [shared.keys, keys],
      [texts.redirectUris, redirectUris.join(' ')],
    ])}`,
    name,
    action: `${back}/remove`,
    back,
    crumbs: [
      { href: at(pathOf(visit, '/applications')), label: t.nav.applications },
      { href: at(pathOf(visit, back)), label: name },
    ],
  };
  return confirmRemovalPage(visit, removal, problem);
}

/** Removes an application with its secrets and keys. */
export async function removeApplication(visit: ConsoleVisit): Promise<ConsolePage | GoTo> {
  const path = clientApi(visit, 'applications');
  const { name } = await visit.api.get<ShownApplication>(path);
  if (!isConfirmed(visit, name)) return removeApplicationPage(visit, wrongName);
  const problem = await refusalOf(() => visit.api.send('DELETE', path));
  if (problem) return removeApplicationPage(visit, problem);
  return { goTo: `${pathOf(visit, '/applications')}?done=removed` };
}
