import type { User } from '#src/directory/index.js';
import { urns } from '../protocol/urns.js';
import type { Projection } from '../resources/project-attributes.js';
import type { ScimContext, ScimDeps } from './context.js';

/**
 * The displayNames of the managers of these users, by the identifier of the manager (RFC 7643 section 4.3). It needs one query, and
 * none if the client does not want the names. A manager who is no user of the organization is left out.
 */
export async function managerNames(
  { users: store }: Pick<ScimDeps, 'users'>,
  { organization }: Pick<ScimContext, 'organization'>,
  { users, projection }: { users: readonly User[]; projection: Projection },
): Promise<Map<string, string>> {
  if (!showsManagers(users, projection)) return new Map();
  const managers = new Set(users.flatMap(({ manager }) => manager ?? []));
  return store.displayNamesOf(organization.id, [...managers]);
}

/** Whether names of managers are read for these users. */
export function showsManagers(users: readonly User[], projection: Projection): boolean {
  const haveManagers = users.some(({ manager }) => manager !== undefined);
  return haveManagers && projection.keeps(urns.enterpriseUser, 'manager', 'displayName');
}
