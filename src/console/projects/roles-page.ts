import { type Html, html } from '#src/http/pages/html.js';
import type { ApiProblem } from '../http/api.js';
import { buttons, field, form } from '../http/form.js';
import { card, emptyList, exact, pager, table } from '../http/parts.js';
import { refusalOf } from '../http/refused.js';
import type { ConsolePage, GoTo } from '../http/respond.js';
import { ifAddressable, linkTo } from '../http/segments.js';
import { type ConsoleVisit, fieldText, queryText } from '../http/visit.js';
import { projectApi } from '../resources/project.js';
import { projectOfPath, projectPage, tabPath } from './project-frame.js';
import type { ListedRoles, ShownRole } from './project-role.js';
import { projectsTexts } from './texts/texts.js';

/** The roles that the applications of a project know. */
export async function rolesPage(visit: ConsoleVisit, refused?: ApiProblem): Promise<ConsolePage> {
  const { api, at, language, t } = visit;
  const texts = projectsTexts[language];
  const after = queryText(visit, 'after');
  const [subject, { items, next }] = await Promise.all([
    projectOfPath(visit),
    api.get<ListedRoles>(projectApi(visit, '/roles'), { after }),
  ]);
  const path = tabPath(visit, 'roles');
  const rows = items.map(({ key, displayName, group }) => [
    linkTo(visit, [path, key], exact(key)),
    displayName,
    group,
    ifAddressable(
      [path, key],
      (one) => html`<a class="button quiet" href="${at(`${one}/remove`)}">${t.remove}</a>`,
    ),
  ]);
  const columns = [texts.key, texts.displayName, texts.group, ''];
  return projectPage(visit, subject, {
    tab: 'roles',
    content: html`${rows.length === 0 ? emptyList(texts.noRoles) : table({ caption: texts.tabs.roles, columns, rows })}
${pager({ t, first: after === '' ? undefined : at(path), next: next === undefined ? undefined : at(path, { after: next }) })}
<section class="next">${card(texts.addRole, addForm(visit, path), { hint: texts.rolesHint })}</section>`,
    ...(refused && { refused: { problem: refused, names: { key: 'role' } } }),
  });
}

function addForm(visit: ConsoleVisit, path: string): Html {
  const texts = projectsTexts[visit.language];
  return form(visit, {
    action: path,
    content: html`${field({ name: 'role', label: texts.key, value: fieldText(visit, 'role'), isRequired: true, maxLength: 200, isExact: true, hint: texts.keyHint })}
${field({ name: 'displayName', label: texts.displayName, value: fieldText(visit, 'displayName'), maxLength: 200 })}
${field({ name: 'group', label: texts.group, value: fieldText(visit, 'group'), maxLength: 200, hint: texts.groupHint })}
${buttons(texts.addRole)}`,
  });
}

/** Adds a role to the project. */
export async function addRole(visit: ConsoleVisit): Promise<ConsolePage | GoTo> {
  const [displayName, group] = [fieldText(visit, 'displayName'), fieldText(visit, 'group')];
  const body = {
    key: fieldText(visit, 'role'),
    ...(displayName !== '' && { displayName }),
    ...(group !== '' && { group }),
  };
  const problem = await refusalOf(() => visit.api.send<ShownRole>('POST', projectApi(visit, '/roles'), body));
  return problem ? rolesPage(visit, problem) : { goTo: `${tabPath(visit, 'roles')}?done=saved` };
}
