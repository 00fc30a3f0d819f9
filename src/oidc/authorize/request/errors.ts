import { asciiForm } from '#src/clients/applications/index.js';

/**
 * Error codes of the authorization endpoint (RFC 6749 section 4.1.2.1, OpenID Connect Core section 3.1.2.6, OpenID Connect Core Error
 * Code unmet_authentication_requirements).
 */
type AuthorizationErrorCode =
  | 'invalid_request'
  | 'invalid_scope'
  | 'unauthorized_client'
  | 'unsupported_response_type'
  | 'access_denied'
  | 'server_error'
  | 'interaction_required'
  | 'login_required'
  | 'consent_required'
  | 'unmet_authentication_requirements'
  | 'request_not_supported'
  | 'request_uri_not_supported';

/**
 * An error that the person sees, because the redirect URI is not certain yet. Only the steps in `request/`
 * throw it, so that no response goes to an unregistered address.
 */
export class ShownError extends Error {
  readonly code: AuthorizationErrorCode;
  readonly sent: SentParameter | undefined;

  /** @param sent the parameter that is wrong, as the client sent it, for the developer of the client */
  constructor(code: AuthorizationErrorCode, description: string, sent?: SentParameter) {
    super(description);
    this.name = 'ShownError';
    this.code = code;
    this.sent = sent;
  }
}

/** No longer address is written in another form, in characters. */
const longestAddress = 500;

/** The error for an address that the application did not register. The address is compared as it was sent, and never converted. */
export function unregisteredAddress(sent: SentParameter): ShownError {
  const ascii = sent.value.length <= longestAddress ? asciiForm(sent.value) : undefined;
  const advice = ascii === undefined ? '' : `. It is not in ASCII. Its form in ASCII is ${ascii}`;
  const description = `The ${sent.name} is not registered for this application${advice}`;
  return new ShownError('invalid_request', description, sent);
}

/** A parameter of a request. */
interface SentParameter {
  readonly name: string;
  readonly value: string;
}

/**
 * An error that the client receives at its redirect URI. Only steps that run once the redirect URI is certain
 * throw it (`checks/`).
 */
export class RedirectedError extends Error {
  readonly code: AuthorizationErrorCode;

  constructor(code: AuthorizationErrorCode, description: string) {
    super(description);
    this.name = 'RedirectedError';
    this.code = code;
  }
}
