import { withQuery } from '../http/api.js';
import type { GoTo } from '../http/respond.js';
import { pathTo } from '../http/segments.js';
import { type ConsoleVisit, fieldText, param } from '../http/visit.js';
import { changeMember, groupsPath } from '../resources/group.js';

/** Adds the user of the path to the group, or removes the user from it. The page then has the same search and the same members. */
export async function changeMembers(visit: ConsoleVisit, isAdded: boolean): Promise<GoTo> {
  const orgId = param(visit, 'orgId');
  const groupId = param(visit, 'groupId');
  await changeMember(visit, orgId, { groupId, userId: param(visit, 'userId'), isAdded });
  const done = isAdded ? 'memberAdded' : 'memberRemoved';
  const [user, after] = [fieldText(visit, 'user'), fieldText(visit, 'after')];
  return { goTo: withQuery(pathTo(groupsPath(orgId), groupId), { done, user, after }) };
}
