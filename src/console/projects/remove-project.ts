import { html } from '#src/http/pages/html.js';
import { isConfirmed, wrongName } from '../confirmation/confirm-form.js';
import { confirmRemovalPage } from '../confirmation/confirm-removal.js';
import { facts } from '../http/parts.js';
import { refusalOf } from '../http/refused.js';
import type { ConsolePage, GoTo } from '../http/respond.js';
import { segmentOf } from '../http/segments.js';
import { type ConsoleVisit, param } from '../http/visit.js';
import type { ApiRefusal } from '../refusals/refusal.js';
import { apiOf, pathOf } from '../resources/organization-of.js';
import { projectApi, type ShownProject } from '../resources/project.js';
import { crumbsBelow, projectOfPath } from './project-frame.js';
import { projectsTexts } from './texts/texts.js';

/** Asks before a project is removed, and counts what hinders that or ends with it. */
export async function removeProjectPage(visit: ConsoleVisit, problem?: ApiRefusal): Promise<ConsolePage> {
  const { language, t, api } = visit;
  const texts = projectsTexts[language];
  const { organization, project } = await projectOfPath(visit);
  const count = async (path: string, query = {}) => {
    const { items, next } = await api.get<{ items: unknown[]; next?: string }>(path, query);
    return `${items.length}${next === undefined ? '' : '+'}`;
  };
  const [applications, ...below] = await Promise.all([
    count(apiOf(visit, '/applications'), { projectId: project.id }),
    ...(['roles', 'grants', 'group-grants', 'members'] as const).map(
      async (tab) => [texts.tabs[tab], await count(projectApi(visit, `/${tab}`))] as const,
    ),
  ]);
  const back = `/projects/${segmentOf(param(visit, 'projectId'))}`;
  const removal = {
    organization,
    title: texts.removeTitle,
    text: html`<p>${texts.removeText}</p>${facts([[t.nav.applications, applications], ...below])}`,
    name: project.name,
    action: `${back}/remove`,
    back,
    crumbs: crumbsBelow(visit, project, 'general'),
  };
  return confirmRemovalPage(visit, removal, problem);
}

/** Removes a project with its roles and members. */
export async function removeConfirmedProject(visit: ConsoleVisit): Promise<ConsolePage | GoTo> {
  const path = projectApi(visit);
  const { name } = await visit.api.get<ShownProject>(path);
  if (!isConfirmed(visit, name)) return removeProjectPage(visit, wrongName);
  const problem = await refusalOf(() => visit.api.send('DELETE', path));
  if (problem === undefined) return { goTo: `${pathOf(visit, '/projects')}?done=removed` };
  return removeProjectPage(visit, problem);
}
