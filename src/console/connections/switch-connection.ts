import { html } from '#src/http/pages/html.js';
import { buttons, form } from '../http/form.js';
import { refusalOf } from '../http/refused.js';
import type { ConsolePage, GoTo } from '../http/respond.js';
import type { ConsoleVisit } from '../http/visit.js';
import { organizationOf, pathOf } from '../resources/organization-of.js';
import { connectionApi, connectionOf, connectionPath } from './shown-connection.js';
import { connectionsTexts } from './texts/texts.js';

/** Says what ends when the connection is switched off. */
export async function switchOffPage(visit: ConsoleVisit): Promise<ConsolePage> {
  const { at, t, language } = visit;
  const texts = connectionsTexts[language];
  const [organization, { name }] = await Promise.all([organizationOf(visit), connectionOf(visit)]);
  const content = form(visit, {
    action: connectionPath(visit, '/switch-off'),
    content: buttons(texts.switchOff, {
      isDangerous: true,
      cancel: { href: at(connectionPath(visit)), label: t.cancel },
    }),
  });
  return {
    title: texts.switchOffTitle,
    subtitle: name,
    organization,
    crumbs: crumbsOfConnection(visit, name),
    content: html`<div class="card"><p>${texts.switchOffText}</p>${content}</div>`,
  };
}

/** The places above a page below a connection. */
export function crumbsOfConnection(visit: ConsoleVisit, name: string): NonNullable<ConsolePage['crumbs']> {
  const { at, t } = visit;
  return [
    { href: at(pathOf(visit, '/connections')), label: t.nav.connections },
    { href: at(connectionPath(visit)), label: name },
  ];
}

/** Returns the handler that switches a connection on or off. */
export function switchConnection(enabled: boolean): (visit: ConsoleVisit) => Promise<ConsolePage | GoTo> {
  return async (visit) => {
    const problem = await refusalOf(() => visit.api.send('PATCH', connectionApi(visit), { enabled }));
    if (problem === undefined) return { goTo: `${connectionPath(visit)}?done=saved` };
    return { ...(await switchOffPage(visit)), refused: { problem } };
  };
}
