import type { Role } from '#src/directory/index.js';
import type { FormChoice } from '../http/form.js';
import type { ConsoleVisit } from '../http/visit.js';

/** The roles in an organization, in words. */
export function organizationRoles({ t }: Pick<ConsoleVisit, 't'>): readonly FormChoice[] {
  const named = [
    ['ORG_USER_MANAGER', t.roles.manager],
    ['ORG_USER_VIEWER', t.roles.viewer],
    ['ORG_OWNER', t.roles.owner],
    ['IMPERSONATOR', t.roles.impersonator],
  ] as const satisfies readonly (readonly [Role, string])[];
  return named.map(([value, label]) => ({ value, label: `${label} (${value})` }));
}
