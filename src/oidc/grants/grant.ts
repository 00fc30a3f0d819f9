import type { Client } from '../clients/client.js';
import type { Parameters } from '../protocol/parameters.js';
import type { TokenResponse } from './token-response.js';

/** What the dispatcher hands to a grant. */
export interface GrantRequest {
  readonly client: Client;
  readonly parameters: Parameters;
}

/** Which scope a request may ask for (RFC 6749 section 3.3). */
export type ScopeLimit =
  /** The request has no say. */
  | { readonly kind: 'fixed'; readonly scope: string }
  /** A part of what was granted; all of it by default. */
  | { readonly kind: 'granted'; readonly scope: string; readonly byDefault?: string }
  /** What a service user of this organization may ask for. */
  | { readonly kind: 'serviceUser'; readonly orgId: string };

/** A request that a grant has looked at and would fulfil. */
export interface PreparedGrant {
  readonly limit: ScopeLimit;
  /** @param scope what the dispatcher found within the limit */
  issue(scope: string): Promise<TokenResponse>;
}

/** One grant type: hooks that the dispatcher calls in this order. */
export interface Grant {
  /** The client; absent where it authenticates like any other. */
  readonly authenticate?: (parameters: Parameters) => Promise<Client>;
  /** Whether it is available at all; absent means yes. */
  readonly enabled?: () => Promise<boolean>;
  /** Whether this client may use it. */
  readonly allows: (client: Client) => boolean;
  /** Proves what the request shows. */
  readonly prepare: (request: GrantRequest) => Promise<PreparedGrant>;
}
