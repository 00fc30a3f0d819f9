import type { Client } from '../clients/client.js';
import type { Parameters } from '../protocol/parameters.js';
import type { TokenResponse } from './token-response.js';

/** What the token endpoint hands to a grant. */
interface GrantRequest {
  readonly client: Client;
  readonly parameters: Parameters;
}

/** The scope that a request may ask for (RFC 6749 section 3.3). */
export type ScopeLimit =
  /** The request cannot choose. */
  | { readonly kind: 'fixed'; readonly scope: string }
  /** Part of the granted scope. The default is `byDefault`, or else all of it. */
  | { readonly kind: 'granted'; readonly scope: string; readonly byDefault?: string }
  /** The scopes that a service user of this organization may use. */
  | { readonly kind: 'serviceUser'; readonly orgId: string };

/** A request that a grant has checked and will fulfil. */
interface PreparedGrant {
  readonly limit: ScopeLimit;
  /** The audience of the tokens, if the scope alone does not decide it. */
  audienceFor?(scope: string): readonly string[];
  /** @param scope the scope within the limit */
  issue(scope: string): Promise<TokenResponse>;
}

/** One grant type. The token endpoint calls these hooks in this order. */
export interface Grant {
  /** Authenticates the client by the grant. If absent, the client authenticates as usual. */
  readonly authenticate?: (parameters: Parameters) => Promise<Client>;
  /** Whether the grant is available. If absent, it always is. */
  readonly enabled?: () => Promise<boolean>;
  /** Whether the client may use the grant. */
  readonly allows: (client: Client) => boolean;
  /** Checks what the request proves. */
  readonly prepare: (request: GrantRequest) => Promise<PreparedGrant>;
}
