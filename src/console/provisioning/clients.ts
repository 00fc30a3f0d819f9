/** What proves a client: a personal access token, or a secret for the token endpoint. */
export type ClientCredential =
  | { readonly kind: 'token'; readonly token: string }
  | { readonly kind: 'secret'; readonly clientId: string; readonly clientSecret: string };

/** A program that provisions. */
export interface ProvisioningClient {
  readonly key: 'entra' | 'okta' | 'onelogin' | 'other';
  /** Absent for another one. */
  readonly name?: string;
  /** What the client asks for. */
  readonly credential: ClientCredential['kind'];
  /** Added to the address of SCIM. */
  readonly query?: string;
  /** The guide in `docs/guides`. */
  readonly guide?: string;
}

export const clients: readonly [ProvisioningClient, ...ProvisioningClient[]] = [
  {
    key: 'entra',
    name: 'Microsoft Entra ID',
    credential: 'secret',
    query: '?aadOptscim062020',
    guide: 'docs/guides/entra.md',
  },
  { key: 'okta', name: 'Okta', credential: 'token', guide: 'docs/guides/okta.md' },
  { key: 'onelogin', name: 'OneLogin', credential: 'token', guide: 'docs/guides/onelogin.md' },
  { key: 'other', credential: 'token' },
];
