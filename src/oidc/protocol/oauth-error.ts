/** The error codes of RFC 6749 section 5.2 and of its extensions. */
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

/** An error to which an OAuth endpoint answers with `{ error, error_description }`. */
export class OAuthError extends Error {
  readonly code: OAuthErrorCode;
  readonly status: number;
  /**
   * Whether the response has a Basic challenge, because the client tried that scheme (RFC 6749 section 5.2).
   */
  readonly challenge: boolean;

  constructor(code: OAuthErrorCode, description: string, options: { challenge?: boolean } = {}) {
    super(description);
    this.name = 'OAuthError';
    this.code = code;
    this.status = code === 'invalid_client' ? 401 : 400;
    this.challenge = options.challenge ?? false;
  }
}

/** The identifier of an error of OAuth, for the header that every error has: its code after `oauth.`. */
export function oauthErrorId({ code }: { readonly code: string }): string {
  return `oauth.${code}`;
}
