import type { AuthorizeParameters } from '../request/authorize-parameters.js';
import { RedirectedError } from '../request/errors.js';

/** The most seconds since the person's last authentication (OpenID Connect Core section 3.1.2.1). */
export function checkMaxAge(parameters: AuthorizeParameters): number | undefined {
  const given = parameters.get('max_age');
  if (given === undefined) return undefined;
  if (!/^\d{1,10}$/.test(given)) {
    throw new RedirectedError('invalid_request', 'max_age must be a number of seconds');
  }
  return Number(given);
}
