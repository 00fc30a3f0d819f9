import { OAuthError } from '../protocol/oauth-error.js';
import type { Parameters } from '../protocol/parameters.js';

/** What a client sent to prove its identity (OpenID Connect Core section 9). */
export type ClientCredentials =
  | {
      readonly method: 'client_secret_basic' | 'client_secret_post';
      readonly clientId: string;
      readonly clientSecret: string;
    }
  | { readonly method: 'private_key_jwt'; readonly assertion: string; readonly clientId?: string }
  | { readonly method: 'none'; readonly clientId: string };

const jwtBearer = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';

/**
 * Reads how the client authenticates (RFC 6749 section 2.3, RFC 7521 section 4.2). The parts of a Basic header are
 * form-urlencoded.
 * @param authorization the Authorization header
 * @throws OAuthError `invalid_request` for two mechanisms at once or a wrong type of assertion, `invalid_client` for
 * no client or a malformed header
 */
export function readClientCredentials(
  authorization: string | undefined,
  parameters: Parameters,
): ClientCredentials {
  const clientId = parameters.get('client_id');
  const clientSecret = parameters.get('client_secret');
  const assertion = readAssertion(parameters);
  const shown = [authorization, clientSecret, assertion].filter((mechanism) => mechanism !== undefined);
  if (shown.length > 1) {
    throw new OAuthError('invalid_request', 'The client used more than one way to authenticate');
  }
  if (authorization !== undefined) return fromBasic(authorization, clientId);
  if (assertion !== undefined) {
    return { method: 'private_key_jwt', assertion, ...(clientId !== undefined && { clientId }) };
  }
  if (clientId === undefined) throw new OAuthError('invalid_client', 'The client did not authenticate');
  if (clientSecret === undefined) return { method: 'none', clientId };
  return { method: 'client_secret_post', clientId, clientSecret };
}

function readAssertion(parameters: Parameters): string | undefined {
  const assertion = parameters.get('client_assertion');
  const type = parameters.get('client_assertion_type');
  if (assertion === undefined && type === undefined) return undefined;
  if (assertion === undefined) throw new OAuthError('invalid_request', 'client_assertion is missing');
  if (type !== jwtBearer) {
    throw new OAuthError('invalid_request', `client_assertion_type must be ${jwtBearer}`);
  }
  return assertion;
}

function fromBasic(authorization: string, bodyClientId: string | undefined): ClientCredentials {
  const failed = () =>
    new OAuthError('invalid_client', 'The Authorization header is not usable', { challenge: true });
  const basic = /^Basic +([A-Za-z0-9+/]+)={0,2} *$/i.exec(authorization)?.[1];
  const text = basic === undefined ? '' : textOfBase64(basic);
  const colon = text.indexOf(':');
  if (colon < 1) throw failed();
  const clientId = formDecode(text.slice(0, colon));
  const clientSecret = formDecode(text.slice(colon + 1));
  if (clientId === undefined || clientSecret === undefined) throw failed();
  if (bodyClientId !== undefined && bodyClientId !== clientId) {
    throw new OAuthError('invalid_request', 'client_id differs from the Authorization header');
  }
  return { method: 'client_secret_basic', clientId, clientSecret };
}

function formDecode(text: string): string | undefined {
  if (!/[+%]/.test(text)) return text;
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}

/** Decodes Base64 to UTF-8. Most credentials are ASCII, for which `atob` takes a quarter of the time of a buffer. Returns '' for no Base64. */
function textOfBase64(encoded: string): string {
  try {
    const bytes = atob(encoded);
    return /^[\x20-\x7e]*$/.test(bytes) ? bytes : Buffer.from(bytes, 'latin1').toString('utf8');
  } catch {
    return '';
  }
}
