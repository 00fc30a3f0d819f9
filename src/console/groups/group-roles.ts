import { isInstanceRole, type Role, roles } from '#src/directory/index.js';
import { type Html, html } from '#src/http/pages/html.js';
import { buttons, checkbox, form } from '../http/form.js';
import { card } from '../http/parts.js';
import type { ConsoleVisit } from '../http/visit.js';
import { adminGroupPath, type GroupOfPath } from '../resources/group.js';
import { groupsTexts } from './texts/texts.js';

/** The roles of a group, as the admin API has them. */
export interface GroupRoles {
  readonly roles: readonly Role[];
}

/** The roles of the organization that the group gives to its members. */
export async function rolesCard(
  visit: ConsoleVisit,
  { organization, group, path }: GroupOfPath,
): Promise<Html> {
  const { language, t } = visit;
  const texts = groupsTexts[language];
  const held = (await visit.api.get<GroupRoles>(`${adminGroupPath(organization.id, group.id)}/roles`)).roles;
  const content = html`${roles
    .filter((role) => !isInstanceRole(role))
    .map((role) =>
      checkbox({ name: 'role', value: role, label: t.roles[role], isChecked: held.includes(role) }),
    )}${buttons(texts.saveRoles)}`;
  return card(
    texts.roles,
    form(visit, { action: `${path}/roles`, content, shown: { shownRoles: keyOf(held) } }),
    {
      hint: texts.rolesHint,
    },
  );
}

/** The roles as a form remembers them. */
export function keyOf(held: readonly Role[]): string {
  return [...held].sort().join(' ');
}
