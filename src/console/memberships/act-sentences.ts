import { nameInSentence } from '../http/confirm-act.js';
import { type ConsoleVisit, fieldText, param } from '../http/visit.js';
import { scimGroupPath } from '../resources/group.js';
import { nameOfUser, orAbsent } from '../resources/name-of-user.js';
import { roleName } from './roles.js';

/**
 * Says to whom a form gives a role.
 * @param typed names the person: by the login name, the address or the identifier, as the form has it
 */
export async function sayGiven(visit: ConsoleVisit, typed: string): Promise<string> {
  const role = roleName(visit, fieldText(visit, 'role') || 'IAM_OWNER');
  return visit.t.confirms.giveRole(await nameFor(visit, typed), nameInSentence(role));
}

/** Says that the user of the path joins or leaves the group of the path, which may give a role. */
export async function sayMember(visit: ConsoleVisit, isAdded: boolean): Promise<string> {
  const { confirms } = visit.t;
  const groupId = param(visit, 'groupId');
  const [name, group] = await Promise.all([
    nameFor(visit, param(visit, 'userId')),
    orAbsent(
      visit.api.get<{ displayName: string }>(scimGroupPath(param(visit, 'orgId'), groupId), {
        attributes: 'displayName',
      }),
    ),
  ]);
  const named = nameInSentence(group?.displayName ?? groupId);
  return isAdded ? confirms.joinGroup(name, named) : confirms.leaveGroup(name, named);
}

/** The name of somebody of the organization of the page, or else what was typed. */
async function nameFor(visit: ConsoleVisit, typed: string): Promise<string> {
  const orgId = param(visit, 'orgId');
  const named = orgId === '' || typed === '' ? undefined : await nameOfUser(visit, typed);
  return nameInSentence(named?.name ?? typed);
}
