import { withQuery } from '../http/api.js';
import type { GoTo } from '../http/respond.js';
import { pathTo } from '../http/segments.js';
import { type ConsoleVisit, fieldText, param } from '../http/visit.js';
import { changeMember } from '../resources/group.js';
import { usersPath } from './user.js';

/** Gives the role of the form: in the instance, or in the organization of the path. */
export async function giveRole(visit: ConsoleVisit): Promise<GoTo> {
  const orgId = param(visit, 'orgId');
  const userId = param(visit, 'userId');
  const role = fieldText(visit, 'role');
  await visit.api.send('POST', membershipsPath(orgId, role === 'IAM_OWNER'), { userId, role });
  return done(orgId, userId, { what: 'roleGiven' });
}

/** Takes the role of the path away. */
export async function takeRole(visit: ConsoleVisit): Promise<GoTo> {
  const orgId = param(visit, 'orgId');
  const memberships = membershipsPath(orgId, fieldText(visit, 'scope') === 'instance');
  await visit.api.send('DELETE', pathTo(memberships, param(visit, 'membershipId')));
  return done(orgId, param(visit, 'userId'), { what: 'roleTaken' });
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
