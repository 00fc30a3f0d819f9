import type { ClientKey } from '../credentials/client-key.js';
import type { ClientSecret } from '../credentials/client-secret.js';

/** How a client proves who it is at the token endpoint (OpenID Connect Core section 9, RFC 7636). */
export type ClientAuthMethod = 'client_secret_basic' | 'client_secret_post' | 'private_key_jwt' | 'none';

export type ResponseType = 'code' | 'id_token' | 'id_token token';

export type GrantType =
  | 'authorization_code'
  | 'refresh_token'
  | 'implicit'
  | 'urn:ietf:params:oauth:grant-type:token-exchange';

/** A client of the OpenID provider: a program that people sign in to, or an API that introspects tokens. */
export interface Application {
  /** Also the client_id. */
  readonly id: string;
  /** The organization that owns it. People of every organization may sign in to it unless `orgOnly`. */
  readonly orgId: string;
  /** Applications of one project share their audience: an API of the project may introspect its tokens. */
  readonly projectId?: string;
  readonly name: string;
  /** An `api` has no redirect URIs: it only introspects. */
  readonly type: 'web' | 'spa' | 'native' | 'api';
  readonly authMethod: ClientAuthMethod;
  /** Compared exactly, but for the port of loopback addresses of native applications (RFC 8252 section 7.3). */
  readonly redirectUris: readonly string[];
  readonly postLogoutRedirectUris: readonly string[];
  readonly responseTypes: readonly ResponseType[];
  readonly grantTypes: readonly GrantType[];
  readonly accessTokenType: 'opaque' | 'jwt';
  /** Put the claims of the scopes into the ID token too when an access token is issued. */
  readonly idTokenUserinfoAssertion: boolean;
  /** Only people of the owning organization may sign in. */
  readonly orgOnly: boolean;
  readonly active: boolean;
  /** At most two, so that one can be replaced while the other still serves. */
  readonly secrets: readonly ClientSecret[];
  /** Public keys: for private_key_jwt, and for JWTs that it signs itself. */
  readonly keys: readonly ClientKey[];
  readonly version: number;
  readonly created: Date;
  readonly lastModified: Date;
}
