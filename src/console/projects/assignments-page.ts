import { type Html, html } from '#src/http/pages/html.js';
import type { ApiProblem } from '../http/api.js';
import { buttons, checkbox, field, form } from '../http/form.js';
import { badge, emptyList, exact, moment, pager, table } from '../http/parts.js';
import { refusalOf } from '../http/refused.js';
import type { ConsolePage, GoTo } from '../http/respond.js';
import { ifAddressable, linkTo } from '../http/segments.js';
import { type ConsoleVisit, fieldLines, fieldText, fieldValues, queryText } from '../http/visit.js';
import { pathOf } from '../resources/organization-of.js';
import { projectApi } from '../resources/project.js';
import {
  type AssignmentList,
  holderField,
  holderNamed,
  holderOf,
  type ListedAssignments,
  type NamedHolder,
  nameOfHolder,
  offeredRoles,
} from './assignment.js';
import { crumbsBelow, projectOfPath, projectPage, tabPath } from './project-frame.js';
import { projectsTexts } from './texts/texts.js';

/** Each row needs the name of its holder. */
const rowsOfPage = 20;

/** Who holds roles of the project: users, groups, or those who administer it. */
export async function assignmentsPage(visit: ConsoleVisit, list: AssignmentList): Promise<ConsolePage> {
  const { api, at, language, t } = visit;
  const texts = projectsTexts[language];
  const after = queryText(visit, 'after');
  const [subject, { items, next }] = await Promise.all([
    projectOfPath(visit),
    api.get<ListedAssignments>(projectApi(visit, `/${list}`), { limit: rowsOfPage, after }),
  ]);
  const path = tabPath(visit, list);
  const names = await Promise.all(items.map((item) => nameOfHolder(visit, list, holderOf(item))));
  const rows = items.map((item, index) => [
    holderCell(visit, holderOf(item), names[index]),
    rolesInWords(visit, list, item.roles),
    moment(item.created, language),
    ifAddressable(
      [path, holderOf(item)],
      (one) => html`<a class="button quiet" href="${at(one)}">${t.edit}</a>`,
    ),
  ]);
  const columns = [texts.holders[list], texts.tabs.roles, texts.since, ''];
  return projectPage(visit, subject, {
    tab: list,
    content: html`<p class="soft">${texts.hints[list]}</p>
<p class="buttons"><a class="button" href="${at(`${path}/new`)}">${texts.give}</a></p>
${rows.length === 0 ? emptyList(texts.nobody[list]) : table({ caption: texts.tabs[list], columns, rows })}
${pager({ t, first: after === '' ? undefined : at(path), next: next === undefined ? undefined : at(path, { after: next }) })}`,
  });
}

/** The field that names the holder, whom the API identifies. */
const names = {
  ...{ userId: 'holder', groupId: 'holder' },
  ...{
    'directory.userNotFound': 'holder',
    'directory.groupNotFound': 'holder',
    'directory.projectRoleNotFound': 'roles',
  },
  ...{
    'directory.userGrantExists': 'holder',
    'directory.groupGrantExists': 'holder',
    'directory.projectMemberExists': 'holder',
  },
};

/** The form that gives roles of the project. After a refusal it has what was typed. */
export async function addAssignmentPage(
  visit: ConsoleVisit,
  list: AssignmentList,
  refused?: ApiProblem,
): Promise<ConsolePage> {
  const { at, language } = visit;
  const texts = projectsTexts[language];
  const [{ organization, project }, fields] = await Promise.all([
    projectOfPath(visit),
    roleFields(visit, list, chosenRoles(visit)),
  ]);
  const addRoles = { href: at(tabPath(visit, 'roles')), label: texts.addRole };
  return {
    title: texts.give,
    subtitle: texts.hints[list],
    organization,
    crumbs: crumbsBelow(visit, project, list),
    content:
      fields === undefined
        ? emptyList(texts.rolesFirst, addRoles)
        : html`<div class="card">${giveForm(visit, list, fields)}</div>`,
    ...(refused && { refused: { problem: refused, names } }),
  };
}

function giveForm(visit: ConsoleVisit, list: AssignmentList, fields: Html): Html {
  const texts = projectsTexts[visit.language];
  return form(visit, {
    action: `${tabPath(visit, list)}/new`,
    content: html`${field({ name: 'holder', label: texts.holders[list], value: fieldText(visit, 'holder'), isRequired: true, maxLength: 200, isExact: true, hint: list === 'group-grants' ? texts.groupNameHint : texts.userNameHint })}
${fields}
${buttons(texts.give, { cancel: { href: visit.at(tabPath(visit, list)), label: visit.t.cancel } })}`,
  });
}

function holderCell(visit: ConsoleVisit, id: string, named: NamedHolder | undefined): Html {
  if (named === undefined) return exact(id);
  const { name, userName, folder } = named;
  return html`${linkTo(visit, [pathOf(visit, `/${folder}`), id], name)} ${folder === 'service-users' && badge(projectsTexts[visit.language].program)}${
    userName !== undefined && html`<br><span class="soft">${userName}</span>`
  }`;
}

/** The roles as a page shows them. Those over the project itself have words. */
export function rolesInWords(
  { language }: Pick<ConsoleVisit, 'language'>,
  list: AssignmentList,
  roles: readonly string[],
): Html {
  const words: Readonly<Record<string, string>> = projectsTexts[language].memberRoles;
  return html`${roles.map((role, at) => html`${at > 0 && ', '}${list === 'members' && Object.hasOwn(words, role) ? words[role] : html`<code>${role}</code>`}`)}`;
}

/** The boxes with which roles are chosen. Undefined if the project has no role. */
export async function roleFields(
  visit: ConsoleVisit,
  list: AssignmentList,
  chosen: readonly string[],
): Promise<Html | undefined> {
  const texts = projectsTexts[visit.language];
  const { roles, isCut } = await offeredRoles(visit, list);
  if (roles.length === 0) return undefined;
  const words: Readonly<Record<string, string>> = texts.memberRoles;
  const boxes = roles.map(({ key, displayName }) => {
    const label =
      list === 'members' ? (words[key] ?? key) : displayName === key ? key : `${displayName} (${key})`;
    return checkbox({ name: 'roles', value: key, label, isChecked: chosen.includes(key) });
  });
  const others = chosen.filter((role) => !roles.some(({ key }) => key === role));
  return html`<fieldset><legend>${texts.tabs.roles}</legend>${boxes}</fieldset>${
    (isCut || others.length > 0) &&
    field({
      name: 'moreRoles',
      label: texts.moreRoles,
      value: others.join('\n'),
      rows: 2,
      isExact: true,
    })
  }`;
}

/** The roles that a form chose. */
export function chosenRoles(visit: ConsoleVisit): string[] {
  return [...new Set([...fieldValues(visit, 'roles'), ...fieldLines(visit, 'moreRoles')])];
}

/** Gives roles of the project to the holder that the form names. */
export async function giveProjectRoles(
  visit: ConsoleVisit,
  list: AssignmentList,
): Promise<ConsolePage | GoTo> {
  const holder = await holderNamed(visit, list, fieldText(visit, 'holder'));
  const body = { [holderField(list)]: holder, roles: chosenRoles(visit) };
  const problem = await refusalOf(() => visit.api.send('POST', projectApi(visit, `/${list}`), body));
  return problem ? addAssignmentPage(visit, list, problem) : { goTo: `${tabPath(visit, list)}?done=saved` };
}
