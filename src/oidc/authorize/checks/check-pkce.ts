import type { Application, ResponseType } from '#src/clients/applications/index.js';
import type { AuthorizeParameters } from '../request/authorize-parameters.js';
import { RedirectedError } from '../request/errors.js';

/**
 * The code challenge (RFC 7636). A client that cannot authenticate must send one. The method `plain` is
 * refused for everyone, also when it is implied by a missing method.
 */
export function checkPkce(
  parameters: AuthorizeParameters,
  { authMethod, responseType }: Pick<Application, 'authMethod'> & { responseType: ResponseType },
): string | undefined {
  if (responseType !== 'code') return undefined;
  const challenge = parameters.get('code_challenge');
  const method = parameters.get('code_challenge_method');
  if (challenge === undefined) {
    if (authMethod !== 'none' && method === undefined) return undefined;
    throw new RedirectedError('invalid_request', 'The parameter code_challenge is missing');
  }
  if (method !== 'S256') throw new RedirectedError('invalid_request', 'code_challenge_method must be S256');
  if (!/^[\w-]{43}$/.test(challenge)) {
    throw new RedirectedError('invalid_request', 'code_challenge must be a SHA-256 in base64url');
  }
  return challenge;
}
