import { html } from '#src/http/pages/html.js';
import { isConfirmed, wrongName } from '../confirmation/confirm-form.js';
import { confirmRemovalPage } from '../confirmation/confirm-removal.js';
import type { ApiProblem } from '../http/api.js';
import { buttons, form } from '../http/form.js';
import { exact, facts, moment } from '../http/parts.js';
import { refusalOf } from '../http/refused.js';
import type { ConsolePage, GoTo } from '../http/respond.js';
import { segmentOf } from '../http/segments.js';
import { type ConsoleVisit, param } from '../http/visit.js';
import type { ApiRefusal } from '../refusals/refusal.js';
import {
  type AssignmentList,
  assignmentApi,
  assignmentPath,
  nameOfHolder,
  type ShownAssignment,
} from './assignment.js';
import { chosenRoles, roleFields, rolesInWords } from './assignments-page.js';
import { crumbsBelow, projectOfPath, tabPath } from './project-frame.js';
import { projectsTexts } from './texts/texts.js';

async function assignmentOfPath(visit: ConsoleVisit, list: AssignmentList) {
  const id = param(visit, 'holderId');
  const [subject, assignment, named] = await Promise.all([
    projectOfPath(visit),
    visit.api.get<ShownAssignment>(assignmentApi(visit, list)),
    nameOfHolder(visit, list, id),
  ]);
  return { ...subject, assignment, name: named?.name ?? id };
}

/** The roles that one holder has in a project. */
export async function assignmentPage(
  visit: ConsoleVisit,
  list: AssignmentList,
  refused?: ApiProblem,
): Promise<ConsolePage> {
  const { at, language, t } = visit;
  const { organization, project, assignment, name } = await assignmentOfPath(visit, list);
  const chosen = refused ? chosenRoles(visit) : assignment.roles;
  const content = form(visit, {
    action: assignmentPath(visit, list),
    content: html`${await roleFields(visit, list, chosen)}
${buttons(t.save, { cancel: { href: at(tabPath(visit, list)), label: t.cancel } })}`,
  });
  return {
    title: name,
    subtitle: projectsTexts[language].tabs[list],
    organization,
    crumbs: crumbsBelow(visit, project, list),
    actions: html`<a class="button quiet" href="${at(assignmentPath(visit, list, '/remove'))}">${t.remove}</a>`,
    content: html`<div class="card">${content}</div>`,
    ...(refused && { refused: { problem: refused } }),
  };
}

/** Changes the roles of a holder. */
export async function setProjectRoles(
  visit: ConsoleVisit,
  list: AssignmentList,
): Promise<ConsolePage | GoTo> {
  const body = { roles: chosenRoles(visit) };
  const problem = await refusalOf(() => visit.api.send('PATCH', assignmentApi(visit, list), body));
  return problem ? assignmentPage(visit, list, problem) : { goTo: `${tabPath(visit, list)}?done=saved` };
}

/** Asks before all roles of a holder are taken away. */
export async function removeAssignmentPage(
  visit: ConsoleVisit,
  list: AssignmentList,
  problem?: ApiRefusal,
): Promise<ConsolePage> {
  const { language } = visit;
  const texts = projectsTexts[language];
  const { organization, project, assignment, name } = await assignmentOfPath(visit, list);
  const holders = `/projects/${segmentOf(project.id)}/${list}`;
  const removal = {
    organization,
    title: texts.removeAssignmentTitle,
    text: html`<p>${texts.removeAssignmentText}</p>${facts([
      [texts.holders[list], exact(param(visit, 'holderId'))],
      [texts.tabs.roles, rolesInWords(visit, list, assignment.roles)],
      [texts.since, moment(assignment.created, language)],
    ])}`,
    name,
    action: `${holders}/${segmentOf(param(visit, 'holderId'))}/remove`,
    back: holders,
    crumbs: crumbsBelow(visit, project, list),
  };
  return confirmRemovalPage(visit, removal, problem);
}

/** Takes all roles in the project from a holder. */
export async function takeProjectRoles(
  visit: ConsoleVisit,
  list: AssignmentList,
): Promise<ConsolePage | GoTo> {
  const id = param(visit, 'holderId');
  const named = await nameOfHolder(visit, list, id);
  if (!isConfirmed(visit, named?.name ?? id)) return removeAssignmentPage(visit, list, wrongName);
  const problem = await refusalOf(() => visit.api.send('DELETE', assignmentApi(visit, list)));
  if (problem === undefined) return { goTo: `${tabPath(visit, list)}?done=removed` };
  return {
    ...(await removeAssignmentPage(visit, list)),
    refused: { problem },
  };
}
