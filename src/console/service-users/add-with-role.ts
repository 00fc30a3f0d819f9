import type { ConsoleVisit } from '../http/visit.js';
import { requireRecentSignIn } from '../memberships/require-recent-sign-in.js';
import { apiOf } from '../resources/organization-of.js';

interface Given {
  readonly name: string;
  readonly userName: string;
  readonly ignorePasswords?: boolean;
}

/**
 * Adds a service user with a role.
 * @param role empty for none
 * @returns the identifier of the service user
 * @throws ApiProblem
 */
export async function addWithRole(visit: ConsoleVisit, given: Given, role: string): Promise<string> {
  await requireRecentSignIn(visit, apiOf(visit, '/memberships'));
  const { id } = await visit.api.send<{ id: string }>('POST', apiOf(visit, '/service-users'), given);
  if (role !== '') await visit.api.send('POST', apiOf(visit, '/memberships'), { userId: id, role });
  return id;
}
