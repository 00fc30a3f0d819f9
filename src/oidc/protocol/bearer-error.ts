/** The reason why a bearer token is refused (RFC 6750 section 3.1). */
export class BearerError extends Error {
  readonly code: 'invalid_request' | 'invalid_token';
  readonly status: 400 | 401;
  /** The header `WWW-Authenticate`. */
  readonly challenge: string;

  /** @param shown whether the request had a token: without one, the challenge has no error code */
  constructor(code: BearerError['code'], description: string, shown = true) {
    super(description);
    this.name = 'BearerError';
    this.code = code;
    this.status = code === 'invalid_token' ? 401 : 400;
    const error = shown ? `, error="${code}", error_description="${description}"` : '';
    this.challenge = `Bearer realm="muster"${error}`;
  }
}
