import { type Html, html } from '#src/http/pages/html.js';
import { clientApi, clientPath } from '../credentials/client.js';
import { buttons, form } from '../http/form.js';
import { noticeOf } from '../http/notice-of.js';
import { card, exact, facts, pager, table } from '../http/parts.js';
import { refusalOf } from '../http/refused.js';
import type { ConsolePage, GoTo } from '../http/respond.js';
import { pathTo, segmentOf } from '../http/segments.js';
import { type ConsoleVisit, fieldText, param, queryText } from '../http/visit.js';
import type { ShownApplication } from '../resources/application.js';
import { apiOf, organizationOf, pathOf } from '../resources/organization-of.js';
import { audienceScope, type ShownProject } from '../resources/project.js';
import { answersTable } from './api-card.js';
import { bearerRequest, introspectionRequest, scopeParameter } from './api-requests.js';
import { apiTexts } from './api-texts/texts.js';

/** First the API, then what the application does to call it. Without an API one is added first. */
export async function callApiPage(
  visit: ConsoleVisit,
  changed: Pick<ConsolePage, 'refused'> = {},
): Promise<ConsolePage | GoTo> {
  const { at, language, t } = visit;
  const texts = apiTexts[language];
  const [organization, application] = await Promise.all([
    organizationOf(visit),
    visit.api.get<ShownApplication>(clientApi(visit, 'applications')),
  ]);
  const chosen = queryText(visit, 'api') || fieldText(visit, 'api');
  const content = chosen === '' ? await choice(visit) : await steps(visit, application, chosen);
  if (content === undefined) return { goTo: addPath(visit) };
  return {
    title: texts.callApi,
    subtitle: texts.callsOf(application.name),
    organization,
    crumbs: [
      { href: at(pathOf(visit, '/applications')), label: t.nav.applications },
      { href: at(clientPath(visit, 'applications')), label: application.name },
      ...(chosen === ''
        ? []
        : [{ href: at(clientPath(visit, 'applications', '/call')), label: texts.chooseApi }]),
    ],
    actions: html`<a class="button quiet" href="${at(addPath(visit))}">${texts.addApi}</a>`,
    content,
    ...noticeOf(visit, queryText(visit, 'done')),
    ...changed,
  };
}

/** The form for an API that the application calls. */
function addPath(visit: ConsoleVisit): string {
  return `${pathOf(visit, '/applications/new/api')}?caller=${segmentOf(param(visit, 'id'))}`;
}

/** The APIs of the organization, a page at a time. Undefined if there is none. */
async function choice(visit: ConsoleVisit): Promise<Html | undefined> {
  const { at, language, t } = visit;
  const texts = apiTexts[language];
  const after = queryText(visit, 'after');
  const path = clientPath(visit, 'applications', '/call');
  const { items, next } = await visit.api.get<{ items: readonly ShownApplication[]; next?: string }>(
    apiOf(visit, '/applications'),
    { type: 'api', after },
  );
  if (items.length === 0 && after === '') return undefined;
  const rows = items.map(({ id, name, projectId }) => [
    name,
    projectId === undefined
      ? html`<span class="soft">${texts.noProject}</span>`
      : exact(audienceScope(projectId)),
    html`<a class="button quiet" href="${at(path, { api: id })}">${texts.choose}<span class="away">: ${name}</span></a>`,
  ]);
  return html`${table({ caption: texts.chooseApi, columns: [t.name, texts.scope, ''], rows })}${pager({
    t,
    first: after === '' ? undefined : at(path),
    next: next === undefined ? undefined : at(path, { after: next }),
  })}`;
}

/** @throws ApiProblem if the organization has no such API */
async function steps(visit: ConsoleVisit, application: ShownApplication, apiId: string): Promise<Html> {
  const { at, language } = visit;
  const texts = apiTexts[language];
  const api = await visit.api.get<ShownApplication>(pathTo(apiOf(visit, '/applications'), apiId));
  const { projectId } = api;
  const page = html`<a href="${at(pathTo(pathOf(visit, '/applications'), api.id))}">${api.name}</a>`;
  if (projectId === undefined) return card(api.name, html`<p>${texts.noProject}</p><p>${page}</p>`);
  const isReady = application.projectId === projectId;
  const token = isReady
    ? html`<p>${texts.ready} ${texts.readyFrom}</p>`
    : html`<p>${texts.asksForScope}</p>${scopeParameter(projectId)}
${application.projectId === undefined ? joinForm(visit, api) : html`<p class="soft">${texts.otherProject}</p>`}`;
  return html`${card(
    api.name,
    html`${facts([
      ['API', page],
      [texts.scope, exact(audienceScope(projectId))],
    ])}
<h3>1. ${texts.tokenOfPerson}</h3>${token}
<h3>2. ${texts.sendToken}</h3>${bearerRequest()}
<h3>3. ${texts.checkToken}</h3>${introspectionRequest(visit, api)}
${answersTable(visit, api)}`,
  )}`;
}

function joinForm(visit: ConsoleVisit, api: ShownApplication): Html {
  const texts = apiTexts[visit.language];
  return form(visit, {
    action: clientPath(visit, 'applications', '/call'),
    hidden: { api: api.id },
    content: html`<p class="soft">${texts.joinHint}</p>${buttons(texts.join)}`,
  });
}

/** Puts the application into the project of the API, so that its tokens are for it. */
export async function joinApi(visit: ConsoleVisit): Promise<ConsolePage | GoTo> {
  const apiId = fieldText(visit, 'api');
  const { projectId } = await visit.api.get<ShownApplication>(pathTo(apiOf(visit, '/applications'), apiId));
  const problem = await refusalOf(() =>
    visit.api.send('PATCH', clientApi(visit, 'applications'), { projectId }),
  );
  if (problem) return callApiPage(visit, { refused: { problem } });
  const query = new URLSearchParams({ api: apiId, done: 'saved' });
  return { goTo: `${clientPath(visit, 'applications', '/call')}?${query}` };
}

/** Gives an API a project of its own, without which no token can be for it. */
export async function giveProject(visit: ConsoleVisit): Promise<GoTo> {
  const path = clientApi(visit, 'applications');
  const { name, projectId } = await visit.api.get<ShownApplication>(path);
  if (projectId === undefined) {
    const added = await visit.api.send<ShownProject>('POST', apiOf(visit, '/projects'), { name });
    await visit.api.send('PATCH', path, { projectId: added.id });
  }
  return { goTo: `${clientPath(visit, 'applications')}?done=saved` };
}
