import { html } from '#src/http/pages/html.js';
import { isConfirmed, wrongName } from '../confirmation/confirm-form.js';
import { confirmRemovalPage } from '../confirmation/confirm-removal.js';
import type { ApiProblem } from '../http/api.js';
import { buttons, field, form } from '../http/form.js';
import { exact, facts } from '../http/parts.js';
import { refusalOf } from '../http/refused.js';
import type { ConsolePage, GoTo } from '../http/respond.js';
import { segmentOf } from '../http/segments.js';
import { type ConsoleVisit, fieldText, param } from '../http/visit.js';
import type { ApiRefusal } from '../refusals/refusal.js';
import { crumbsBelow, projectOfPath, tabPath } from './project-frame.js';
import { projectRolePath, roleApi, type ShownRole } from './project-role.js';
import { projectsTexts } from './texts/texts.js';

/** One role of a project: how it is shown. Its key stays. */
export async function rolePage(visit: ConsoleVisit, refused?: ApiProblem): Promise<ConsolePage> {
  const { at, language, t } = visit;
  const texts = projectsTexts[language];
  const [{ organization, project }, role] = await Promise.all([
    projectOfPath(visit),
    visit.api.get<ShownRole>(roleApi(visit)),
  ]);
  const typed = (name: string, stored: string) => (refused ? fieldText(visit, name) : stored);
  const content = form(visit, {
    action: projectRolePath(visit),
    content: html`${field({ name: 'displayName', label: texts.displayName, value: typed('displayName', role.displayName), isRequired: true, maxLength: 200 })}
${field({ name: 'group', label: texts.group, value: typed('group', role.group ?? ''), maxLength: 200, hint: texts.groupHint })}
${buttons(t.save, { cancel: { href: at(tabPath(visit, 'roles')), label: t.cancel } })}`,
  });
  return {
    title: role.displayName,
    subtitle: exact(role.key),
    organization,
    crumbs: crumbsBelow(visit, project, 'roles'),
    actions: html`<a class="button quiet" href="${at(projectRolePath(visit, '/remove'))}">${t.remove}</a>`,
    content: html`<div class="card">${content}</div>`,
    ...(refused && { refused: { problem: refused } }),
  };
}

/** Changes how a role is shown. */
export async function changeRole(visit: ConsoleVisit): Promise<ConsolePage | GoTo> {
  const group = fieldText(visit, 'group');
  const body = { displayName: fieldText(visit, 'displayName'), group: group === '' ? null : group };
  const problem = await refusalOf(() => visit.api.send('PATCH', roleApi(visit), body));
  return problem ? rolePage(visit, problem) : { goTo: `${tabPath(visit, 'roles')}?done=saved` };
}

/** Asks before a role is removed. */
export async function removeProjectRolePage(visit: ConsoleVisit, problem?: ApiRefusal): Promise<ConsolePage> {
  const texts = projectsTexts[visit.language];
  const [{ organization, project }, role] = await Promise.all([
    projectOfPath(visit),
    visit.api.get<ShownRole>(roleApi(visit)),
  ]);
  const roles = `/projects/${segmentOf(project.id)}/roles`;
  const removal = {
    organization,
    title: texts.removeRoleTitle,
    text: html`<p>${texts.removeRoleText}</p>${facts([
      [texts.displayName, role.displayName],
      [texts.group, role.group],
    ])}`,
    name: role.key,
    action: `${roles}/${segmentOf(role.key)}/remove`,
    back: roles,
    crumbs: crumbsBelow(visit, project, 'roles'),
  };
  return confirmRemovalPage(visit, removal, problem);
}

/** Removes a role that no grant names. */
export async function removeConfirmedRole(visit: ConsoleVisit): Promise<ConsolePage | GoTo> {
  if (!isConfirmed(visit, param(visit, 'roleKey'))) return removeProjectRolePage(visit, wrongName);
  const problem = await refusalOf(() => visit.api.send('DELETE', roleApi(visit)));
  if (problem === undefined) return { goTo: `${tabPath(visit, 'roles')}?done=removed` };
  return removeProjectRolePage(visit, problem);
}
