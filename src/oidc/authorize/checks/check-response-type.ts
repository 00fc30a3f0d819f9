import type { Application, ResponseType } from '#src/directory/applications/application.js';
import type { AuthorizeParameters } from '../authorize-parameters.js';
import { RedirectedError } from '../errors.js';

/** By their words in alphabetical order: the order in a request means nothing (RFC 6749 section 3.1.1). */
const responseTypes: ReadonlyMap<string, ResponseType> = new Map([
  ['code', 'code'],
  ['id_token', 'id_token'],
  ['id_token token', 'id_token token'],
]);

/** What is asked for: a response type that exists and that the application opted in to. */
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
