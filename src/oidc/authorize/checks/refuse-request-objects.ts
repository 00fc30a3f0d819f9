import type { AuthorizeParameters } from '../request/authorize-parameters.js';
import { RedirectedError } from '../request/errors.js';

/** Request objects are not supported (OpenID Connect Core section 6, RFC 9101). */
export function refuseRequestObjects(parameters: AuthorizeParameters): void {
  if (parameters.get('request') !== undefined) {
    throw new RedirectedError('request_not_supported', 'The parameter request is not supported');
  }
  if (parameters.get('request_uri') !== undefined) {
    throw new RedirectedError('request_uri_not_supported', 'The parameter request_uri is not supported');
  }
}
