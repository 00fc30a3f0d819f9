import { type Html, html } from '#src/http/pages/html.js';
import type { ApiProblem } from '../http/api.js';
import { buttons, field, form } from '../http/form.js';
import { card, emptyList, exact, facts, moment, table } from '../http/parts.js';
import { refusalOf } from '../http/refused.js';
import type { ConsolePage, GoTo } from '../http/respond.js';
import { linkTo } from '../http/segments.js';
import { type ConsoleVisit, fieldLines, fieldText } from '../http/visit.js';
import { apiOf, pathOf } from '../resources/organization-of.js';
import { audienceScope, projectApi, projectPath, type ShownProject } from '../resources/project.js';
import { projectOfPath, projectPage } from './project-frame.js';
import { projectsTexts } from './texts/texts.js';

/** The field whose name differs from that of the API. */
const names = { audienceOrgIds: 'organizations', 'directory.organizationNotFound': 'organizations' };

/** Applications that the page lists. */
const mostListed = 100;

interface Applications {
  readonly items: readonly { readonly id: string; readonly name: string; readonly type: string }[];
  readonly next?: string;
}

/** A project: its name, the applications in it, and whose clients may ask for tokens for it. */
export async function generalPage(visit: ConsoleVisit, refused?: ApiProblem): Promise<ConsolePage> {
  const subject = await projectOfPath(visit);
  const { project } = subject;
  const found = await visit.api.get<Applications>(apiOf(visit, '/applications'), {
    projectId: project.id,
    limit: mostListed,
  });
  return projectPage(visit, subject, {
    tab: 'general',
    content: html`${applicationsCard(visit, found)}${settingsCard(visit, project, refused !== undefined)}`,
    ...(refused && { refused: { problem: refused, names } }),
  });
}

function applicationsCard(visit: ConsoleVisit, { items, next }: Applications): Html {
  const { at, t, language } = visit;
  const texts = projectsTexts[language];
  const list = pathOf(visit, '/applications');
  const rows = items.map(({ id, name, type }) => [
    linkTo(visit, [list, id], name),
    html`<code>${type}</code>`,
  ]);
  const applications =
    rows.length === 0
      ? emptyList(texts.noApplications, { href: at(`${list}/new`), label: t.nav.applications })
      : table({ caption: t.nav.applications, columns: [t.name, texts.type], rows });
  return card(
    t.nav.applications,
    html`${applications}${next !== undefined && html`<p class="hint">${texts.moreApplications(mostListed)}</p>`}`,
    { hint: texts.applicationsHint },
  );
}

function settingsCard(visit: ConsoleVisit, project: ShownProject, isTyped: boolean): Html {
  const { t, language } = visit;
  const texts = projectsTexts[language];
  const typed = (name: string, stored: string) => (isTyped ? fieldText(visit, name) : stored);
  const content = form(visit, {
    action: projectPath(visit),
    content: html`${field({ name: 'name', label: t.name, value: typed('name', project.name), isRequired: true, maxLength: 200 })}
${field({ name: 'organizations', label: texts.organizations, value: typed('organizations', project.audienceOrgIds.join('\n')), rows: 2, isExact: true, hint: texts.organizationsHint })}
${buttons(t.save)}`,
  });
  const about = facts([
    [t.identifier, exact(project.id)],
    [texts.scope, exact(audienceScope(project.id))],
    [t.created, moment(project.created, language)],
    [t.changed, moment(project.lastModified, language)],
  ]);
  return card(t.nav.settings, html`${content}${about}`);
}

/** Changes the name of the project, and whose clients may ask for tokens for it. */
export async function saveProject(visit: ConsoleVisit): Promise<ConsolePage | GoTo> {
  const body = { name: fieldText(visit, 'name'), audienceOrgIds: fieldLines(visit, 'organizations') };
  const problem = await refusalOf(() => visit.api.send('PATCH', projectApi(visit), body));
  return problem ? generalPage(visit, problem) : { goTo: `${projectPath(visit)}?done=saved` };
}
