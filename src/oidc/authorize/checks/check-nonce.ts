import type { ResponseType } from '#src/clients/applications/index.js';
import type { AuthorizeParameters } from '../request/authorize-parameters.js';
import { RedirectedError } from '../request/errors.js';

/** Every ID token contains the nonce, and so does every place that keeps ID tokens. */
const maxLength = 512;

/** The nonce. The implicit response types require it (OpenID Connect Core section 3.2.2.1). */
export function checkNonce(parameters: AuthorizeParameters, responseType: ResponseType): string | undefined {
  const nonce = parameters.get('nonce');
  if (nonce === undefined && responseType !== 'code') {
    throw new RedirectedError('invalid_request', 'The parameter nonce is missing');
  }
  if (nonce !== undefined && nonce.length > maxLength) {
    throw new RedirectedError(
      'invalid_request',
      `The parameter nonce is too long: more than ${maxLength} characters`,
    );
  }
  return nonce;
}
