import type { GoTo } from '../http/respond.js';
import { pathTo } from '../http/segments.js';
import { type ConsoleVisit, param } from '../http/visit.js';
import { changeMember, groupsPath } from '../resources/group.js';

/** Adds the user of the path to the group, or removes the user from it. */
export async function changeMembers(visit: ConsoleVisit, isAdded: boolean): Promise<GoTo> {
  const orgId = param(visit, 'orgId');
  const groupId = param(visit, 'groupId');
  await changeMember(visit, orgId, { groupId, userId: param(visit, 'userId'), isAdded });
  const done = isAdded ? 'memberAdded' : 'memberRemoved';
  return { goTo: `${pathTo(groupsPath(orgId), groupId)}?done=${done}` };
}
