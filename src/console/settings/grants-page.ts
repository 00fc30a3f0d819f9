import { html } from '#src/http/pages/html.js';
import type { ApiProblem } from '../http/api.js';
import { actionButton, buttons, field, form } from '../http/form.js';
import { card, emptyList, exact, moment, pager, table } from '../http/parts.js';
import { refusalOf } from '../http/refused.js';
import type { ConsolePage, GoTo } from '../http/respond.js';
import { ifAddressable, pathTo, segmentOf } from '../http/segments.js';
import { type ConsoleVisit, fieldText, param, queryText } from '../http/visit.js';
import { apiOf, organizationOf, pathOf } from '../resources/organization-of.js';
import { settingsFrame } from './settings-frame.js';
import { settingsTexts } from './texts/texts.js';

interface Grants {
  readonly items: readonly { clientId: string; created: string }[];
  readonly next?: string;
}

/** Errors about the application that the form names. */
const names = { 'directory.applicationNotFound': 'clientId', 'path.dotSegment': 'clientId' };

/** The applications of other organizations that the organization lets its people use. */
export async function grantsPage(visit: ConsoleVisit, problem?: ApiProblem): Promise<ConsolePage> {
  const after = queryText(visit, 'after');
  const [organization, { items, next }] = await Promise.all([
    organizationOf(visit),
    visit.api.get<Grants>(apiOf(visit, '/application-grants'), { after }),
  ]);
  const { t, at, language } = visit;
  const texts = settingsTexts[language];
  const rows = items.map(({ clientId, created }) => [
    exact(clientId),
    moment(created, language),
    ifAddressable([pathOf(visit, '/settings/grants'), clientId], (of) =>
      actionButton(visit, { action: `${of}/remove`, label: texts.takeBack, isDangerous: true }),
    ),
  ]);
  const add = form(visit, {
    action: pathOf(visit, '/settings/grants'),
    content: html`${field({ name: 'clientId', label: texts.clientId, value: fieldText(visit, 'clientId'), isRequired: true, maxLength: 200, isExact: true })}
${buttons(texts.grant)}`,
  });
  return settingsFrame(visit, {
    organization,
    tab: 'grants',
    content: html`${rows.length === 0 ? emptyList(texts.noGrants) : table({ caption: texts.grants, columns: [texts.clientId, texts.since, texts.actions], rows })}
${pager({
  t,
  first: after === '' ? undefined : at(pathOf(visit, '/settings/grants')),
  next: next === undefined ? undefined : at(pathOf(visit, '/settings/grants'), { after: next }),
})}
${card(texts.grant, add, { hint: texts.grantHint })}`,
    ...(problem && { refused: { problem, names } }),
  });
}

/** Grants an application of another organization. */
export async function addGrant(visit: ConsoleVisit): Promise<ConsolePage | GoTo> {
  const problem = await refusalOf(() =>
    visit.api.send('PUT', pathTo(apiOf(visit, '/application-grants'), fieldText(visit, 'clientId'))),
  );
  return problem ? grantsPage(visit, problem) : { goTo: pathOf(visit, '/settings/grants') };
}

/** Takes a grant back. It can be given again. */
export async function removeGrant(visit: ConsoleVisit): Promise<ConsolePage | GoTo> {
  const path = apiOf(visit, `/application-grants/${segmentOf(param(visit, 'clientId'))}`);
  const problem = await refusalOf(() => visit.api.send('DELETE', path));
  return problem ? grantsPage(visit, problem) : { goTo: pathOf(visit, '/settings/grants') };
}
