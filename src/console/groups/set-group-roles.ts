import type { ConsolePage, GoTo } from '../http/respond.js';
import { type ConsoleVisit, fieldText, fieldValues } from '../http/visit.js';
import { adminGroupPath, groupOfPath } from '../resources/group.js';
import { groupPage } from './group-page.js';
import { type GroupRoles, keyOf } from './group-roles.js';
import { groupsTexts } from './texts/texts.js';

/** Sets the roles, unless somebody else set them since the form was opened. */
export async function setGroupRoles(visit: ConsoleVisit): Promise<ConsolePage | GoTo> {
  const { organization, group, path } = await groupOfPath(visit);
  const rolesPath = `${adminGroupPath(organization.id, group.id)}/roles`;
  const { roles: held } = await visit.api.get<GroupRoles>(rolesPath);
  if (fieldText(visit, 'shownRoles') !== keyOf(held)) {
    const texts = groupsTexts[visit.language];
    return groupPage(visit, { alert: texts.conflict(group.displayName), status: 409 });
  }
  await visit.api.send('PUT', rolesPath, { roles: fieldValues(visit, 'role') });
  return { goTo: `${path}?done=rolesSet` };
}
