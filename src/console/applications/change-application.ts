import { clientApi, clientPath } from '../credentials/client.js';
import { refusalOf } from '../http/refused.js';
import type { ConsolePage, GoTo } from '../http/respond.js';
import { type ConsoleVisit, fieldText } from '../http/visit.js';
import { applicationPage } from './application-page.js';
import { typedSettings } from './application-settings.js';

/** Changes the settings of an application. */
export function changeApplication(visit: ConsoleVisit): Promise<ConsolePage | GoTo> {
  const path = clientApi(visit, 'applications');
  return changed(visit, () => visit.api.send('PATCH', path, typedSettings(visit)), true);
}

/** Deactivates an application, which can be undone, or activates it. */
export function setApplicationActive(visit: ConsoleVisit): Promise<ConsolePage | GoTo> {
  const body = { active: fieldText(visit, 'active') === 'true' };
  return changed(visit, () => visit.api.send('PATCH', clientApi(visit, 'applications'), body));
}

/** Sets or removes a mark of an instance owner. */
export function changeMark(visit: ConsoleVisit): Promise<ConsolePage | GoTo> {
  const mark = fieldText(visit, 'mark') === 'administration' ? 'administration' : 'approval';
  const method = fieldText(visit, 'on') === 'true' ? 'PUT' : 'DELETE';
  return changed(visit, () => visit.api.send(method, clientApi(visit, 'applications', `/${mark}`)));
}

async function changed(
  visit: ConsoleVisit,
  change: () => Promise<unknown>,
  isTyped = false,
): Promise<ConsolePage | GoTo> {
  const problem = await refusalOf(change);
  if (problem !== undefined) return applicationPage(visit, { problem, isTyped });
  return { goTo: `${clientPath(visit, 'applications')}?done=saved` };
}
