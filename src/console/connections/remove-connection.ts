import { html } from '#src/http/pages/html.js';
import { isConfirmed, wrongName } from '../confirmation/confirm-form.js';
import { confirmRemovalPage } from '../confirmation/confirm-removal.js';
import { refusalOf } from '../http/refused.js';
import type { ConsolePage, GoTo } from '../http/respond.js';
import { segmentOf } from '../http/segments.js';
import { type ConsoleVisit, param } from '../http/visit.js';
import type { ApiRefusal } from '../refusals/refusal.js';
import { organizationOf, pathOf } from '../resources/organization-of.js';
import { connectionApi, connectionOf } from './shown-connection.js';
import { crumbsOfConnection } from './switch-connection.js';
import { connectionsTexts } from './texts/texts.js';

/** Asks before a connection is removed, and says what ends with it. */
export async function removeConnectionPage(visit: ConsoleVisit, problem?: ApiRefusal): Promise<ConsolePage> {
  const texts = connectionsTexts[visit.language];
  const [organization, { name }] = await Promise.all([organizationOf(visit), connectionOf(visit)]);
  const back = `/connections/${segmentOf(param(visit, 'connectionId'))}`;
  const removal = {
    ...{ organization, name, back },
    title: texts.removeTitle,
    text: html`<p>${texts.removeText}</p>`,
    action: `${back}/remove`,
    crumbs: crumbsOfConnection(visit, name),
  };
  return confirmRemovalPage(visit, removal, problem);
}

/** Removes a connection with its secret. */
export async function removeNamedConnection(visit: ConsoleVisit): Promise<ConsolePage | GoTo> {
  const { name } = await connectionOf(visit);
  if (!isConfirmed(visit, name)) return removeConnectionPage(visit, wrongName);
  const problem = await refusalOf(() => visit.api.send('DELETE', connectionApi(visit)));
  if (problem === undefined) return { goTo: `${pathOf(visit, '/connections')}?done=removed` };
  return removeConnectionPage(visit, problem);
}
