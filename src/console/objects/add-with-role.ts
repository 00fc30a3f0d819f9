import { ApiProblem } from '../http/api.js';
import type { ConsoleVisit } from '../http/visit.js';
import { apiOf } from './organization-of.js';

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
  await requireFreshSignIn(visit);
  const { id } = await visit.api.send<{ id: string }>('POST', apiOf(visit, '/service-users'), given);
  if (role !== '') await visit.api.send('POST', apiOf(visit, '/memberships'), { userId: id, role });
  return id;
}

/**
 * Throws if the person must sign in before a role is given. Asked first, so that the form does not stop half-way: the API checks the
 * sign-in before it refuses the empty body.
 * @throws ApiProblem
 */
async function requireFreshSignIn(visit: ConsoleVisit): Promise<void> {
  try {
    await visit.api.send('POST', apiOf(visit, '/memberships'), {});
  } catch (error) {
    if (!(error instanceof ApiProblem && error.status === 400)) throw error;
  }
}
