import { html } from '#src/http/pages/html.js';
import type { ApiProblem } from '../http/api.js';
import { buttons, field, form } from '../http/form.js';
import { noticeOf } from '../http/notice-of.js';
import { emptyList, exact, moment, pager, table } from '../http/parts.js';
import { isRefusal } from '../http/refused.js';
import type { ConsolePage, GoTo } from '../http/respond.js';
import { linkTo, segmentOf } from '../http/segments.js';
import { type ConsoleVisit, fieldText, queryText } from '../http/visit.js';
import { apiOf, organizationOf, pathOf } from '../resources/organization-of.js';
import type { ShownProject } from '../resources/project.js';
import { projectsTexts } from './texts/texts.js';

/** The projects of an organization, a page at a time. */
export async function projectsPage(visit: ConsoleVisit): Promise<ConsolePage> {
  const { at, language, t, api } = visit;
  const texts = projectsTexts[language];
  const after = queryText(visit, 'after');
  const [organization, { items, next }] = await Promise.all([
    organizationOf(visit),
    api.get<{ items: readonly ShownProject[]; next?: string }>(apiOf(visit, '/projects'), { after }),
  ]);
  const path = pathOf(visit, '/projects');
  const add = { href: at(`${path}/new`), label: texts.add };
  const rows = items.map(({ id, name, created }) => [
    linkTo(visit, [path, id], name),
    exact(id),
    moment(created, language),
  ]);
  return {
    title: t.nav.projects,
    subtitle: texts.about,
    organization,
    actions: html`<a class="button" href="${add.href}">${add.label}</a>`,
    content: html`${
      rows.length === 0
        ? emptyList(texts.none, add)
        : table({ caption: t.nav.projects, columns: [t.name, t.identifier, t.created], rows })
    }${pager({ t, first: after === '' ? undefined : at(path), next: next === undefined ? undefined : at(path, { after: next }) })}`,
    ...noticeOf(visit, queryText(visit, 'done')),
  };
}

/** The form for a new project. After a refusal it has what was typed. */
export async function addProjectPage(visit: ConsoleVisit, refused?: ApiProblem): Promise<ConsolePage> {
  const { at, language, t } = visit;
  const texts = projectsTexts[language];
  const path = pathOf(visit, '/projects');
  const content = form(visit, {
    action: `${path}/new`,
    content: html`${field({ name: 'name', label: t.name, value: fieldText(visit, 'name'), isRequired: true, maxLength: 200 })}
${buttons(texts.add, { cancel: { href: at(path), label: t.cancel } })}`,
  });
  return {
    title: texts.add,
    subtitle: texts.about,
    organization: await organizationOf(visit),
    crumbs: [{ href: at(path), label: t.nav.projects }],
    content: html`<div class="card">${content}</div>`,
    ...(refused && { refused: { problem: refused } }),
  };
}

/** Adds a project, and opens it. */
export async function saveNewProject(visit: ConsoleVisit): Promise<ConsolePage | GoTo> {
  try {
    const body = { name: fieldText(visit, 'name') };
    const { id } = await visit.api.send<ShownProject>('POST', apiOf(visit, '/projects'), body);
    return { goTo: `${pathOf(visit, `/projects/${segmentOf(id)}`)}?done=saved` };
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return addProjectPage(visit, error);
  }
}
