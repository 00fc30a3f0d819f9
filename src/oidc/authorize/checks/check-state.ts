import type { AuthorizeParameters } from '../request/authorize-parameters.js';
import { RedirectedError } from '../request/errors.js';

/** The state waits in addresses, so its length is bounded, in bytes. Some applications keep a whole place to return to in it. */
const maxBytes = 8_192;

/** Checks the state, which goes back to the client (RFC 6749 section 4.1.1). */
export function checkState(parameters: AuthorizeParameters): void {
  if (Buffer.byteLength(parameters.get('state') ?? '') > maxBytes) {
    throw new RedirectedError(
      'invalid_request',
      `The parameter state is too long: more than ${maxBytes} bytes`,
    );
  }
}
