import { isInstanceRole, type Role, roles } from '#src/directory/index.js';
import type { FormChoice } from '../http/form.js';
import type { ConsoleVisit } from '../http/visit.js';

/** The roles in an organization, by their names. Those with fewer rights come first. */
export function organizationRoles({ t }: Pick<ConsoleVisit, 't'>): readonly FormChoice[] {
  const first: readonly Role[] = ['ORG_USER_MANAGER', 'ORG_USER_VIEWER'];
  const others = roles.filter((role) => !isInstanceRole(role) && !first.includes(role));
  return [...first, ...others].map((value) => ({ value, label: t.roles[value] }));
}

/** The name of a role. A role that this version does not know is shown as the API has it. */
export function roleName({ t }: Pick<ConsoleVisit, 't'>, role: string): string {
  const known = roles.find((one) => one === role);
  return known === undefined ? role : t.roles[known];
}
