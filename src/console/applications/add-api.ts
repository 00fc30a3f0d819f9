import { type Html, html } from '#src/http/pages/html.js';
import { textOfRefusal } from '#src/http/refusals/refusal-in-words.js';
import { type AddedProgram, addProgram } from '../connect/program-page.js';
import { connectTexts } from '../connect/texts/texts.js';
import { credentialTexts } from '../credentials/texts/texts.js';
import { ApiProblem } from '../http/api.js';
import { buttons, checkbox, field, form, select } from '../http/form.js';
import { card, exact, facts, shownOnce } from '../http/parts.js';
import { isRefusal } from '../http/refused.js';
import type { ConsolePage } from '../http/respond.js';
import { linkTo, pathTo, segmentOf } from '../http/segments.js';
import { type ConsoleVisit, fieldText, fieldValues, queryText } from '../http/visit.js';
import type { ShownApplication } from '../resources/application.js';
import { apiOf, organizationOf, pathOf } from '../resources/organization-of.js';
import type { ShownProject } from '../resources/project.js';
import { apiCard } from './api-card.js';
import { apiTexts } from './api-texts/texts.js';
import { applicationsTexts } from './texts/texts.js';

/** Applications and projects that the form offers. */
const mostOffered = 50;

interface Listed<T> {
  readonly items: readonly T[];
  readonly next?: string;
}

/** Asks who calls the API. The project that tokens for it need is made with it. */
export async function addApiPage(visit: ConsoleVisit, refused?: ApiProblem): Promise<ConsolePage> {
  const { api, at, language, t } = visit;
  const texts = apiTexts[language];
  const path = pathOf(visit, '/applications');
  const [organization, applications, projects] = await Promise.all([
    organizationOf(visit),
    api.get<Listed<ShownApplication>>(apiOf(visit, '/applications'), { limit: mostOffered }),
    api.get<Listed<ShownProject>>(apiOf(visit, '/projects'), { limit: mostOffered }),
  ]);
  const caller = queryText(visit, 'caller');
  const content = form(visit, {
    action: `${path}/new/api`,
    ...(caller !== '' && { hidden: { caller } }),
    content: html`${field({ name: 'name', label: t.name, value: fieldText(visit, 'name'), isRequired: true, maxLength: 200, hint: texts.nameHint })}
${callersField(visit, applications)}
${field({ name: 'program', label: texts.program, value: fieldText(visit, 'program'), maxLength: 200, hint: texts.programHint })}
<details><summary>${applicationsTexts[language].more}</summary>
${authMethodField(visit)}
${projectField(visit, projects)}
</details>
${buttons(texts.addApi, { cancel: { href: at(path), label: t.cancel } })}`,
  });
  return {
    title: texts.addApi,
    subtitle: texts.about,
    organization,
    crumbs: [
      { href: at(path), label: t.nav.applications },
      { href: at(`${path}/new`), label: applicationsTexts[language].type },
    ],
    content: html`<div class="card">${content}</div>`,
    ...(refused && { refused: { problem: refused } }),
  };
}

function callersField(visit: ConsoleVisit, { items, next }: Listed<ShownApplication>): Html {
  const texts = apiTexts[visit.language];
  const applicationTexts = applicationsTexts[visit.language];
  const chosen = [queryText(visit, 'caller'), ...fieldValues(visit, 'callers')];
  const boxes = items
    .filter(({ type }) => type !== 'api')
    .map(({ id, name, type }) =>
      checkbox({
        name: 'callers',
        value: id,
        label: `${name} (${applicationTexts[`type_${type}`]})`,
        isChecked: chosen.includes(id),
      }),
    );
  return html`<fieldset><legend>${texts.whoCalls}</legend>${
    boxes.length === 0
      ? html`<p class="hint">${texts.noCallers}</p>`
      : html`${boxes}<p class="hint">${texts.callersHint}</p>`
  }${next !== undefined && html`<p class="hint">${texts.callersCut}</p>`}</fieldset>`;
}

function authMethodField(visit: ConsoleVisit): Html {
  const applicationTexts = applicationsTexts[visit.language];
  const choices = [
    { value: '', label: applicationTexts.withSecret },
    { value: 'private_key_jwt', label: applicationTexts.withKey },
  ];
  return select({
    name: 'authMethod',
    label: applicationTexts.authMethod,
    choices,
    value: fieldText(visit, 'authMethod'),
  });
}

function projectField(visit: ConsoleVisit, { items }: Listed<ShownProject>): Html {
  const texts = apiTexts[visit.language];
  const choices = [
    { value: '', label: texts.ownProject },
    ...items.map(({ id, name }) => ({ value: id, label: name })),
  ];
  return select({
    name: 'projectId',
    label: texts.project,
    choices,
    value: fieldText(visit, 'projectId'),
    hint: texts.projectHint,
  });
}

type AddedApi = ShownApplication & { readonly clientSecret?: string };

/** What became of an application that was chosen as a caller. */
interface Caller {
  readonly id: string;
  readonly name: string;
  readonly way: 'joined' | 'asks' | 'failed';
}

/** Adds the API with what its callers need, and shows the secrets this once. */
export async function addApi(visit: ConsoleVisit): Promise<ConsolePage> {
  let added: AddedApi;
  try {
    added = await makeApi(visit);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return addApiPage(visit, error);
  }
  const callers: Caller[] = [];
  for (const id of new Set(fieldValues(visit, 'callers').slice(0, mostOffered)))
    callers.push(await letCall(visit, id, added));
  const name = fieldText(visit, 'program');
  const program = name === '' ? undefined : await orProblem(() => addProgram(visit, name));
  return addedPage(visit, { added, callers, program });
}

/** Adds the API. If it is refused, the project that was made for it goes too. */
async function makeApi(visit: ConsoleVisit): Promise<AddedApi> {
  const { api } = visit;
  const name = fieldText(visit, 'name');
  const projects = apiOf(visit, '/projects');
  const chosen = fieldText(visit, 'projectId');
  const projectId = chosen || (await api.send<ShownProject>('POST', projects, { name })).id;
  const authMethod = fieldText(visit, 'authMethod');
  const body = { name, type: 'api', projectId, ...(authMethod !== '' && { authMethod }) };
  try {
    return await api.send<AddedApi>('POST', apiOf(visit, '/applications'), body);
  } catch (error) {
    if (chosen === '') await orProblem(() => api.send('DELETE', pathTo(projects, projectId)));
    throw error;
  }
}

/** An application without a project joins that of the API. Another one asks for the scope. */
async function letCall(visit: ConsoleVisit, id: string, { projectId }: AddedApi): Promise<Caller> {
  const path = pathTo(apiOf(visit, '/applications'), id);
  const found = await orProblem(() => visit.api.get<ShownApplication>(path));
  if (found instanceof ApiProblem) return { id, name: id, way: 'failed' };
  const { name, version } = found;
  if (found.projectId !== undefined)
    return { id, name, way: found.projectId === projectId ? 'joined' : 'asks' };
  const joined = await orProblem(() => visit.api.send('PATCH', path, { projectId, version }));
  return { id, name, way: joined instanceof ApiProblem ? 'failed' : 'joined' };
}

/** The result, or the refusal of the API. What was added before it stays, and its secrets are shown. */
async function orProblem<T>(change: () => Promise<T>): Promise<T | ApiProblem> {
  try {
    return await change();
  } catch (error) {
    if (error instanceof ApiProblem) return error;
    throw error;
  }
}

async function addedPage(
  visit: ConsoleVisit,
  {
    added: { clientSecret, ...api },
    callers,
    program,
  }: { added: AddedApi; callers: readonly Caller[]; program: AddedProgram | ApiProblem | undefined },
): Promise<ConsolePage> {
  const { at, t, language } = visit;
  const texts = apiTexts[language];
  const hint = credentialTexts[language].onceHint;
  const path = pathOf(visit, '/applications');
  const refused = program instanceof ApiProblem ? program : undefined;
  const made = program instanceof ApiProblem ? undefined : program;
  return {
    title: api.name,
    subtitle: applicationsTexts[language].type_api,
    organization: await organizationOf(visit),
    crumbs: [{ href: at(path), label: t.nav.applications }],
    notice: texts.added,
    ...(refused && { alert: textOfRefusal(language, refused) }),
    actions: html`<a class="button" href="${at(`${path}/${segmentOf(api.id)}`)}">${applicationsTexts[language].goOn}</a><a class="button quiet" href="${at(`${path}/${segmentOf(api.id)}/connect`)}" target="_blank" rel="noopener">${connectTexts[language].connect}</a>`,
    content: html`${clientSecret !== undefined && shownOnce({ label: credentialTexts[language].secret, value: clientSecret, hint })}
${made && shownOnce({ label: `${texts.programSecret} (${made.name})`, value: made.clientSecret, hint })}
${callers.length > 0 && callersCard(visit, callers)}
${made && card(made.name, facts([[credentialTexts[language].clientId, exact(made.id)]]))}
${await apiCard(visit, api, made?.id)}`,
  };
}

function callersCard(visit: ConsoleVisit, callers: readonly Caller[]): Html {
  const texts = apiTexts[visit.language];
  const path = pathOf(visit, '/applications');
  return card(
    texts.whoCalls,
    html`<ul class="plain">${callers.map(
      ({ id, name, way }) => html`<li>${linkTo(visit, [path, id], name)}: ${texts[way]}</li>`,
    )}</ul>`,
  );
}
