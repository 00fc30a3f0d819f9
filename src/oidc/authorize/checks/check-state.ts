import type { AuthorizeParameters } from '../authorize-parameters.js';
import { RedirectedError } from '../errors.js';

/** Anybody can make a request wait, so what is kept of it has a bound. */
const maxLength = 2_048;

/** The state that goes back to the client (RFC 6749 section 4.1.1). */
export function checkState(parameters: AuthorizeParameters): void {
  if ((parameters.get('state') ?? '').length > maxLength) {
    throw new RedirectedError('invalid_request', 'The parameter state is too long');
  }
}
