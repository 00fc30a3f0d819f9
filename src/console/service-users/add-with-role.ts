import { requireFreshSignIn } from '../http/require-fresh-sign-in.js';
import type { ConsoleVisit } from '../http/visit.js';
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
  requireFreshSignIn(visit);
  const { id } = await visit.api.send<{ id: string }>('POST', apiOf(visit, '/service-users'), given);
  if (role !== '') await visit.api.send('POST', apiOf(visit, '/memberships'), { userId: id, role });
  return id;
}
