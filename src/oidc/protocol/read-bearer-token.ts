import { BearerError } from './bearer-error.js';

/** The parts of a request that may carry a bearer token. */
interface BearerRequest {
  readonly method: string;
  readonly headers: {
    readonly authorization?: string | undefined;
    readonly 'content-type'?: string | undefined;
  };
  readonly body: unknown;
}

/**
 * The token in the header, or in the form of a POST (RFC 6750 sections 2.1 and 2.2). A token in the query is
 * never read.
 * @throws BearerError `invalid_request` for several tokens or another scheme, `invalid_token` for none
 */
export function readBearerToken({ method, headers, body }: BearerRequest): string {
  const inForm = method === 'POST' && isForm(headers['content-type']) ? formToken(body) : undefined;
  const { authorization } = headers;
  if (authorization === undefined) {
    if (inForm === undefined) throw new BearerError('invalid_token', 'An access token is required', false);
    return inForm;
  }
  if (inForm !== undefined) throw new BearerError('invalid_request', 'The token was sent in two places');
  const token = /^Bearer +([A-Za-z0-9\-._~+/]+=*) *$/i.exec(authorization)?.[1];
  if (token === undefined) throw new BearerError('invalid_token', 'The access token is malformed');
  return token;
}

function isForm(contentType = ''): boolean {
  return /^application\/x-www-form-urlencoded *(;|$)/i.test(contentType);
}

function formToken(body: unknown): string | undefined {
  const token = (body as Record<string, unknown> | null | undefined)?.['access_token'];
  if (token === undefined || token === '') return undefined;
  if (typeof token !== 'string')
    throw new BearerError('invalid_request', 'The token was sent more than once');
  return token;
}
