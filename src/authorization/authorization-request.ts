import type { ResponseType } from '#src/clients/applications/index.js';
import type { Acr } from '#src/directory/index.js';
import type { RequestedClaims } from './requested-claims.js';

export type ResponseMode = 'query' | 'fragment' | 'form_post';
export type Prompt = 'none' | 'login' | 'consent' | 'select_account' | 'create';

/**
 * A checked authorization request (OpenID Connect Core section 3.1.2.1) that waits for the person to sign in. An earlier version may have
 * sealed it, because a request that is too old begins anew. A new field is therefore optional.
 */
export interface AuthorizationRequest {
  readonly id: string;
  readonly clientId: string;
  readonly redirectUri: string;
  readonly responseType: ResponseType;
  readonly responseMode: ResponseMode;
  /** Space-delimited, as it will be granted. */
  readonly scope: string;
  readonly state?: string;
  readonly nonce?: string;
  /** The S256 challenge of PKCE (RFC 7636). */
  readonly codeChallenge?: string;
  readonly prompts: readonly Prompt[];
  /** Seconds since the last authentication. */
  readonly maxAge?: number;
  readonly loginHint?: string;
  /** The connection of the organization by which the person should sign in. It is not checked. */
  readonly connectionId?: string;
  /** Subject of the id_token_hint. */
  readonly hintedUserId?: string;
  /** What the parameter `claims` asks for. */
  readonly claims?: RequestedClaims;
  /** The levels of `acr_values` that this service knows, the preferred one first. */
  readonly acrValues?: readonly Acr[];
  /** The users of whom one must sign in, as `claims` demands. */
  readonly subjects?: readonly string[];
  readonly uiLocales: readonly string[];
  /** When the request arrived. A fresh authentication must be later. */
  readonly created: Date;
  /** The session that the login pages created or chose for this request. */
  readonly sessionId?: string;
  /** Whether the person of that session consented at the page of this request. */
  readonly consented?: boolean;
}
