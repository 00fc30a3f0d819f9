import { ApiProblem } from '../http/api.js';
import type { ConsoleVisit } from '../http/visit.js';

/**
 * Throws if the person must sign in before a role is given. A form that does several things asks first, so that it does not stop half-way:
 * the API checks the sign-in before it refuses the empty body.
 * @param memberships the path of the memberships in the admin API
 * @throws ApiProblem
 */
export async function requireRecentSignIn(
  { api }: Pick<ConsoleVisit, 'api'>,
  memberships: string,
): Promise<void> {
  try {
    await api.send('POST', memberships, {});
  } catch (error) {
    if (!(error instanceof ApiProblem && error.status === 400)) throw error;
  }
}
