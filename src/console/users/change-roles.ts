import { isConfirmed, wrongName } from '../confirmation/confirm-form.js';
import { ApiProblem, withQuery } from '../http/api.js';
import { refusalOf } from '../http/refused.js';
import type { ConsolePage, GoTo } from '../http/respond.js';
import { pathTo } from '../http/segments.js';
import { type ConsoleVisit, fieldText, param, queryText } from '../http/visit.js';
import { nameToConfirm, type RoleOfUser, takeRolePage } from '../memberships/take-role-page.js';
import type { ApiRefusal } from '../refusals/refusal.js';
import { changeMember } from '../resources/group.js';
import { organizationOfPath } from '../resources/named-organization.js';
import { usersTexts } from './texts/texts.js';
import { usersPath } from './user.js';

/** Gives the role of the form: in the instance, or in the organization of the path. */
export async function giveRole(visit: ConsoleVisit): Promise<GoTo> {
  const orgId = param(visit, 'orgId');
  const userId = param(visit, 'userId');
  const role = fieldText(visit, 'role');
  await visit.api.send('POST', membershipsPath(orgId, role === 'IAM_OWNER'), { userId, role });
  return done(orgId, userId, { what: 'roleGiven' });
}

/** Asks before the role of the path is taken away. @param problem why it is asked again */
export async function askToTakeRole(visit: ConsoleVisit, problem?: ApiRefusal): Promise<ConsolePage> {
  const [organization, held] = await Promise.all([organizationOfPath(visit), roleOfPath(visit)]);
  const path = `${pathTo(usersPath(organization.id), param(visit, 'userId'))}/roles`;
  return takeRolePage(
    visit,
    {
      held,
      organization,
      action: `${pathTo(path, held.id)}/take`,
      back: path,
      hidden: { scope: scopeOf(visit) },
      crumbs: [{ href: visit.at(path), label: usersTexts[visit.language].tabs.roles }],
    },
    problem,
  );
}

/** Takes the role of the path away, if the login name was typed. */
export async function takeRole(visit: ConsoleVisit): Promise<ConsolePage | GoTo> {
  const held = await roleOfPath(visit);
  if (!isConfirmed(visit, (await nameToConfirm(visit, held)).typed)) return askToTakeRole(visit, wrongName);
  const orgId = param(visit, 'orgId');
  const path = pathTo(membershipsPath(orgId, scopeOf(visit) === 'instance'), held.id);
  const problem = await refusalOf(() => visit.api.send('DELETE', path));
  if (problem !== undefined) return askToTakeRole(visit, problem);
  // Who took the own last role away reaches the page no more.
  if (held.userId === visit.me.userId) return { goTo: '/console' };
  return done(orgId, held.userId, { what: 'roleTaken' });
}

/** The role that the path names, of the user of the path. */
async function roleOfPath(visit: ConsoleVisit): Promise<RoleOfUser> {
  const memberships = membershipsPath(param(visit, 'orgId'), scopeOf(visit) === 'instance');
  const held = await visit.api.get<RoleOfUser>(pathTo(memberships, param(visit, 'membershipId')));
  if (held.userId === param(visit, 'userId')) return held;
  const detail = 'The user does not have this role';
  throw new ApiProblem({ status: 404, id: 'directory.membershipNotFound', detail });
}

/** Where the role applies: the page names it in its address, and the form in a field. */
function scopeOf(visit: ConsoleVisit): 'organization' | 'instance' {
  const named = fieldText(visit, 'scope') || queryText(visit, 'scope');
  return named === 'instance' ? 'instance' : 'organization';
}

/** Adds the user to the group of the path. */
export async function joinGroup(visit: ConsoleVisit): Promise<GoTo> {
  return changeGroup(visit, true);
}

/** Removes the user from the group of the path. */
export async function leaveGroup(visit: ConsoleVisit): Promise<GoTo> {
  return changeGroup(visit, false);
}

async function changeGroup(visit: ConsoleVisit, isAdded: boolean): Promise<GoTo> {
  const orgId = param(visit, 'orgId');
  const userId = param(visit, 'userId');
  await changeMember(visit, orgId, { groupId: param(visit, 'groupId'), userId, isAdded });
  return done(orgId, userId, { what: isAdded ? 'joined' : 'left', group: fieldText(visit, 'group') });
}

function membershipsPath(orgId: string, isOfInstance: boolean): string {
  return isOfInstance ? '/admin/v1/memberships' : `${pathTo('/admin/v1/orgs', orgId)}/memberships`;
}

/** @param group the search for a group, with which the page goes on */
function done(
  orgId: string,
  userId: string,
  { what, group = '' }: { what: 'roleGiven' | 'roleTaken' | 'joined' | 'left'; group?: string },
): GoTo {
  return { goTo: withQuery(`${pathTo(usersPath(orgId), userId)}/roles`, { done: what, group }) };
}
