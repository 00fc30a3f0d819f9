import { ApiProblem } from './api.js';
import type { ConsoleVisit } from './visit.js';

/**
 * Throws what the API would throw if the person must sign in again. A form that does several things, of which some need a fresh sign-in, calls
 * it first, so that it does all of them or none.
 * @throws ApiProblem
 */
export function requireFreshSignIn({ isFresh }: Pick<ConsoleVisit, 'isFresh'>): void {
  if (isFresh) return;
  throw new ApiProblem({
    status: 401,
    id: 'tokens.signInTooOld',
    detail: 'This step needs a person who signed in lately',
    challenge: 'Bearer error="insufficient_user_authentication"',
  });
}
