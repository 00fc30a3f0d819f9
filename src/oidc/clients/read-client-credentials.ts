import { OAuthError } from '../protocol/oauth-error.js';
import type { Parameters } from '../protocol/parameters.js';

/** What a client showed to prove who it is. */
export interface ClientCredentials {
  readonly method: 'client_secret_basic' | 'client_secret_post';
  readonly clientId: string;
  readonly clientSecret: string;
}

/**
 * Reads the client's credentials (RFC 6749 section 2.3.1) from the Basic header, whose parts are form-urlencoded,
 * or from the body.
 * @param header the Authorization header
 * @throws OAuthError `invalid_request` for two mechanisms at once, `invalid_client` for none or a malformed one
 */
export function readClientCredentials(header: string | undefined, parameters: Parameters): ClientCredentials {
  const basic = header === undefined ? undefined : /^Basic +([A-Za-z0-9+/]+={0,2}) *$/i.exec(header)?.[1];
  const bodySecret = parameters.get('client_secret');
  if (header !== undefined && bodySecret !== undefined) {
    throw new OAuthError('invalid_request', 'The client used more than one way to authenticate');
  }
  if (header !== undefined) return fromBasic(basic, parameters);
  const clientId = parameters.get('client_id');
  if (clientId === undefined || bodySecret === undefined) {
    throw new OAuthError('invalid_client', 'The client did not authenticate');
  }
  return { method: 'client_secret_post', clientId, clientSecret: bodySecret };
}

function fromBasic(basic: string | undefined, parameters: Parameters): ClientCredentials {
  const failed = () =>
    new OAuthError('invalid_client', 'The Authorization header is not usable', { challenge: true });
  const text = basic === undefined ? '' : Buffer.from(basic, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  if (colon < 1) throw failed();
  const clientId = formDecode(text.slice(0, colon));
  const clientSecret = formDecode(text.slice(colon + 1));
  if (clientId === undefined || clientSecret === undefined) throw failed();
  const bodyClientId = parameters.get('client_id');
  if (bodyClientId !== undefined && bodyClientId !== clientId) {
    throw new OAuthError('invalid_request', 'client_id differs from the Authorization header');
  }
  return { method: 'client_secret_basic', clientId, clientSecret };
}

function formDecode(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}
