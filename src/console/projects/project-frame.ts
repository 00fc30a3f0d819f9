import { type HtmlValue, html } from '#src/http/pages/html.js';
import { noticeOf } from '../http/notice-of.js';
import { tabs } from '../http/parts.js';
import type { ConsolePage } from '../http/respond.js';
import { type ConsoleVisit, queryText } from '../http/visit.js';
import { organizationOf, pathOf, type ShownOrganization } from '../resources/organization-of.js';
import { projectApi, projectPath, type ShownProject } from '../resources/project.js';
import { projectsTexts } from './texts/texts.js';

/** The pages of a project, as their addresses name them. */
const tabNames = ['general', 'roles', 'grants', 'group-grants', 'members'] as const;

export type ProjectTab = (typeof tabNames)[number];

/** The project of the path, which its pages are about. */
export interface ProjectOfPath {
  readonly organization: ShownOrganization;
  readonly project: ShownProject;
}

/** @throws ApiProblem if the person does not reach the project */
export async function projectOfPath(visit: ConsoleVisit): Promise<ProjectOfPath> {
  const [organization, project] = await Promise.all([
    organizationOf(visit),
    visit.api.get<ShownProject>(projectApi(visit)),
  ]);
  return { organization, project };
}

/** The path of a tab of the project. */
export function tabPath(visit: ConsoleVisit, tab: ProjectTab): string {
  return projectPath(visit, tab === 'general' ? '' : `/${tab}`);
}

/** One of the pages of a project. */
export function projectPage(
  visit: ConsoleVisit,
  { organization, project }: ProjectOfPath,
  { tab, content, ...more }: { tab: ProjectTab; content: HtmlValue } & Partial<ConsolePage>,
): ConsolePage {
  const { at, t, language } = visit;
  const texts = projectsTexts[language];
  const items = tabNames.map((name) => ({
    href: at(tabPath(visit, name)),
    label: texts.tabs[name],
    isCurrent: name === tab,
  }));
  return {
    title: project.name,
    organization,
    crumbs: [{ href: at(pathOf(visit, '/projects')), label: t.nav.projects }],
    actions: html`<a class="button quiet" href="${at(projectPath(visit, '/remove'))}">${t.remove}</a>`,
    content: html`${tabs(project.name, items)}${content}`,
    ...noticeOf(visit, queryText(visit, 'done')),
    ...more,
  };
}

/** The places above a page below a tab. */
export function crumbsBelow(
  visit: ConsoleVisit,
  project: ShownProject,
  tab: ProjectTab,
): NonNullable<ConsolePage['crumbs']> {
  const { at, t, language } = visit;
  return [
    { href: at(pathOf(visit, '/projects')), label: t.nav.projects },
    { href: at(projectPath(visit)), label: project.name },
    ...(tab === 'general'
      ? []
      : [{ href: at(tabPath(visit, tab)), label: projectsTexts[language].tabs[tab] }]),
  ];
}
