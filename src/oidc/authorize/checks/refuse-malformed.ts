import { type AuthorizeParameters, longestValue } from '../request/authorize-parameters.js';
import { RedirectedError } from '../request/errors.js';

/** Refuses repeated parameters (RFC 6749 section 3.1) and oversized values. */
export function refuseMalformed({ repeated, oversized }: AuthorizeParameters): void {
  const [name] = repeated;
  if (name !== undefined) {
    throw new RedirectedError('invalid_request', `The parameter ${name} must not be sent more than once`);
  }
  const [long] = oversized;
  if (long === undefined) return;
  const limit = `more than ${longestValue(long)} characters`;
  throw new RedirectedError('invalid_request', `The parameter ${long} is too long: ${limit}`);
}
