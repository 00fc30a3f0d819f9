/** Error codes of the authorization endpoint (RFC 6749 section 4.1.2.1, OpenID Connect Core section 3.1.2.6). */
export type AuthorizationErrorCode =
  | 'invalid_request'
  | 'invalid_scope'
  | 'unauthorized_client'
  | 'unsupported_response_type'
  | 'access_denied'
  | 'server_error'
  | 'interaction_required'
  | 'login_required'
  | 'request_not_supported'
  | 'request_uri_not_supported';

/**
 * An error that the person sees, because it is not certain yet where the client is. Only what finds out where
 * throws it (`target/`), so that an answer never goes to an address that nobody registered.
 */
export class ShownError extends Error {
  readonly code: AuthorizationErrorCode;

  constructor(code: AuthorizationErrorCode, description: string) {
    super(description);
    this.name = 'ShownError';
    this.code = code;
  }
}

/** An error that the client gets at its redirect URI. Only what runs once that is known throws it (`checks/`). */
export class RedirectedError extends Error {
  readonly code: AuthorizationErrorCode;

  constructor(code: AuthorizationErrorCode, description: string) {
    super(description);
    this.name = 'RedirectedError';
    this.code = code;
  }
}
