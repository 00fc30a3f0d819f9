import type { AuthorizeParameters } from '../authorize-parameters.js';
import { RedirectedError } from '../errors.js';

/** The state is stored for anyone who sends a request, so its length is bounded. */
const maxLength = 2_048;

/** Checks the state, which goes back to the client (RFC 6749 section 4.1.1). */
export function checkState(parameters: AuthorizeParameters): void {
  if ((parameters.get('state') ?? '').length > maxLength) {
    throw new RedirectedError(
      'invalid_request',
      `The parameter state is too long: more than ${maxLength} characters`,
    );
  }
}
