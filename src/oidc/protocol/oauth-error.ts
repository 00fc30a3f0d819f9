/** The error codes of RFC 6749 section 5.2 and what its extensions add. */
export type OAuthErrorCode =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'unauthorized_client'
  | 'unsupported_grant_type'
  | 'invalid_scope'
  | 'invalid_target'
  | 'server_error'
  | 'temporarily_unavailable';

/** An error that an OAuth endpoint answers as `{ error, error_description }`. */
export class OAuthError extends Error {
  readonly code: OAuthErrorCode;
  readonly status: number;
  /** Whether to answer with a Basic challenge: the client tried that scheme (RFC 6749 section 5.2). */
  readonly challenge: boolean;

  constructor(code: OAuthErrorCode, description: string, options: { challenge?: boolean } = {}) {
    super(description);
    this.name = 'OAuthError';
    this.code = code;
    this.status = code === 'invalid_client' ? 401 : 400;
    this.challenge = options.challenge ?? false;
  }
}
