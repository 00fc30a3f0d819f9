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
  /** The name of its guide, which the service serves. */
  readonly guide?: string;
}

export const clients: readonly [ProvisioningClient, ...ProvisioningClient[]] = [
  {
    key: 'entra',
    name: 'Microsoft Entra ID',
    credential: 'secret',
    query: '?aadOptscim062020',
    guide: 'entra',
  },
  { key: 'okta', name: 'Okta', credential: 'token', guide: 'okta' },
  { key: 'onelogin', name: 'OneLogin', credential: 'token', guide: 'onelogin' },
  { key: 'other', credential: 'token' },
];
