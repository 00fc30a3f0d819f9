import type { Application, ResponseType } from '#src/clients/applications/index.js';
import type { AuthorizeParameters } from '../request/authorize-parameters.js';
import { RedirectedError } from '../request/errors.js';

/**
 * Keys have their words in alphabetical order, because the order in a request has no meaning (RFC 6749
 * section 3.1.1).
 */
const responseTypes: ReadonlyMap<string, ResponseType> = new Map([
  ['code', 'code'],
  ['id_token', 'id_token'],
  ['id_token token', 'id_token token'],
]);

/** The response type of the request. It must exist, and the application must have registered it. */
export function checkResponseType(
  application: Pick<Application, 'responseTypes'>,
  parameters: AuthorizeParameters,
): ResponseType {
  const given = parameters.get('response_type');
  if (given === undefined) {
    throw new RedirectedError('invalid_request', 'The parameter response_type is missing');
  }
  const responseType = responseTypes.get(given.split(' ').sort().join(' '));
  if (responseType === undefined) {
    throw new RedirectedError('unsupported_response_type', 'The response_type is not supported');
  }
  if (!application.responseTypes.includes(responseType)) {
    throw new RedirectedError('unauthorized_client', 'The application may not use this response_type');
  }
  return responseType;
}
