import type { ResponseType } from '#src/clients/applications/index.js';
import type { AuthorizeParameters } from '../request/authorize-parameters.js';
import { RedirectedError } from '../request/errors.js';

/** The nonce. The implicit response types require it (OpenID Connect Core section 3.2.2.1). */
export function checkNonce(parameters: AuthorizeParameters, responseType: ResponseType): string | undefined {
  const nonce = parameters.get('nonce');
  if (nonce === undefined && responseType !== 'code') {
    throw new RedirectedError('invalid_request', 'The parameter nonce is missing');
  }
  return nonce;
}
