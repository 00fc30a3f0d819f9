import { clientApi, clientPath } from '../credentials/client.js';
import { refusalOf } from '../http/refused.js';
import type { ConsolePage, GoTo } from '../http/respond.js';
import { type ConsoleVisit, fieldText } from '../http/visit.js';
import { serviceUserPage } from './service-user-page.js';

/** Changes the settings of a service user. */
export async function changeServiceUser(visit: ConsoleVisit): Promise<ConsolePage | GoTo> {
  const description = fieldText(visit, 'description');
  const body = {
    name: fieldText(visit, 'name'),
    userName: fieldText(visit, 'userName'),
    description: description === '' ? null : description,
    ignorePasswords: fieldText(visit, 'ignorePasswords') === 'on',
    plainScimErrors: fieldText(visit, 'plainScimErrors') === 'on',
    version: Number(fieldText(visit, 'version')),
  };
  const problem = await refusalOf(() => visit.api.send('PATCH', clientApi(visit, 'service-users'), body));
  if (problem !== undefined) return serviceUserPage(visit, { problem, isTyped: true });
  return { goTo: `${clientPath(visit, 'service-users')}?done=saved` };
}

/** Deactivates a service user, which can be undone, or activates it. */
export async function setServiceUserActive(visit: ConsoleVisit): Promise<ConsolePage | GoTo> {
  const body = { active: fieldText(visit, 'active') === 'true' };
  const problem = await refusalOf(() => visit.api.send('PATCH', clientApi(visit, 'service-users'), body));
  if (problem !== undefined) return serviceUserPage(visit, { problem });
  return { goTo: `${clientPath(visit, 'service-users')}?done=saved` };
}
