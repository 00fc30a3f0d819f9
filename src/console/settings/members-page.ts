import { html } from '#src/http/pages/html.js';
import { isConfirmed, wrongName } from '../confirmation/confirm-form.js';
import type { ApiProblem } from '../http/api.js';
import { buttons, field, form, select } from '../http/form.js';
import { badge, card, countLine, emptyList, exact, moment, pager, table } from '../http/parts.js';
import { refusalOf } from '../http/refused.js';
import type { ConsolePage, GoTo } from '../http/respond.js';
import { segmentOf } from '../http/segments.js';
import { type ConsoleVisit, fieldText, param, queryText } from '../http/visit.js';
import { idOfPerson } from '../memberships/find-holder.js';
import { organizationRoles, roleName } from '../memberships/roles.js';
import { nameToConfirm, type RoleOfUser, takeRolePage } from '../memberships/take-role-page.js';
import type { ApiRefusal } from '../refusals/refusal.js';
import { nameOfUser } from '../resources/name-of-user.js';
import { apiOf, organizationOf, pathOf } from '../resources/organization-of.js';
import { settingsFrame } from './settings-frame.js';
import { settingsTexts } from './texts/texts.js';

interface Memberships {
  readonly items: readonly { id: string; userId: string; role: string; created: string }[];
  readonly next?: string;
  readonly total: number;
}

/** The person is named, and not identified. */
const fieldNames = { userId: 'userName', 'directory.userNotFound': 'userName' };

/** Each row needs the name of a user. */
const rowsOfPage = 20;

/** Who has a role in the organization. */
export async function membersPage(visit: ConsoleVisit, problem?: ApiProblem): Promise<ConsolePage> {
  const after = queryText(visit, 'after');
  const [organization, { items, next, total }] = await Promise.all([
    organizationOf(visit),
    visit.api.get<Memberships>(apiOf(visit, '/memberships'), {
      limit: rowsOfPage,
      after,
      includeTotal: true,
    }),
  ]);
  const { t, at, language } = visit;
  const texts = settingsTexts[language];
  const names = await Promise.all(items.map(({ userId }) => nameOfUser(visit, userId)));
  const rows = items.map(({ id, userId, role, created }, index) => {
    const named = names[index];
    return [
      named === undefined
        ? exact(userId)
        : html`${named.name} ${named.kind === 'serviceUser' && badge(texts.program)}<br><span class="soft">${named.userName}</span>`,
      roleName(visit, role),
      moment(created, language),
      html`<a class="button quiet danger" href="${at(pathOf(visit, `/settings/members/${segmentOf(id)}/remove`))}">${texts.takeAway}</a>`,
    ];
  });
  const add = form(visit, {
    action: pathOf(visit, '/settings/members'),
    content: html`${field({ name: 'userName', label: texts.memberName, value: fieldText(visit, 'userName'), hint: texts.memberNameHint, isRequired: true, maxLength: 200, isExact: true })}
${select({ name: 'role', label: texts.role, choices: organizationRoles(visit), value: fieldText(visit, 'role') })}
${buttons(texts.giveRole)}`,
  });
  return settingsFrame(visit, {
    organization,
    tab: 'members',
    content: html`${rows.length === 0 ? emptyList(texts.noMembers) : html`${countLine(visit, { total })}${table({ caption: texts.members, columns: [t.name, texts.role, texts.since, texts.actions], rows })}`}
${pager({
  t,
  first: after === '' ? undefined : at(pathOf(visit, '/settings/members')),
  next: next === undefined ? undefined : at(pathOf(visit, '/settings/members'), { after: next }),
})}
${card(texts.giveRole, add)}`,
    ...(problem && { refused: { problem, names: fieldNames } }),
  });
}

/** Gives a role to a person by the login name or address, or to anybody by the identifier. */
export async function addMember(visit: ConsoleVisit): Promise<ConsolePage | GoTo> {
  const userId = await idOfPerson(visit, param(visit, 'orgId'), fieldText(visit, 'userName'));
  const body = { userId, role: fieldText(visit, 'role') };
  const problem = await refusalOf(() => visit.api.send('POST', apiOf(visit, '/memberships'), body));
  return problem ? membersPage(visit, problem) : { goTo: pathOf(visit, '/settings/members') };
}

/** Asks before a role is taken away. @param problem why it is asked again */
export async function removeMemberPage(visit: ConsoleVisit, problem?: ApiRefusal): Promise<ConsolePage> {
  const [organization, held] = await Promise.all([organizationOf(visit), memberOf(visit)]);
  const members = pathOf(visit, '/settings/members');
  return takeRolePage(
    visit,
    {
      held,
      organization,
      action: `${members}/${segmentOf(held.id)}/remove`,
      back: members,
      crumbs: [{ href: visit.at(members), label: settingsTexts[visit.language].members }],
    },
    problem,
  );
}

/** Takes a role away, if the login name was typed. It can be given again. */
export async function removeMember(visit: ConsoleVisit): Promise<ConsolePage | GoTo> {
  const held = await memberOf(visit);
  if (!isConfirmed(visit, (await nameToConfirm(visit, held)).typed))
    return removeMemberPage(visit, wrongName);
  const path = apiOf(visit, `/memberships/${segmentOf(held.id)}`);
  const problem = await refusalOf(() => visit.api.send('DELETE', path));
  if (problem !== undefined) return removeMemberPage(visit, problem);
  // Who took the own last role away reaches the page no more.
  return { goTo: held.userId === visit.me.userId ? '/console' : pathOf(visit, '/settings/members') };
}

function memberOf(visit: ConsoleVisit): Promise<RoleOfUser> {
  return visit.api.get(apiOf(visit, `/memberships/${segmentOf(param(visit, 'membershipId'))}`));
}
