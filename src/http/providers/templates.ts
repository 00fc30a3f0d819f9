import { pathSegment } from '#src/platform/path-segment.js';

/** A value from which the issuer of a provider is made, or a demand of the provider. */
interface AskedValue {
  readonly name: 'tenant' | 'domain' | 'host' | 'realm' | 'issuer' | 'hostedDomain';
  /** As the provider calls it. The pages of providers are in English, so no language has another word. */
  readonly label: string;
  readonly placeholder: string;
  /** What stands in the field at first. */
  readonly usual?: string;
}

/** How an organization connects a provider: what the form asks for, and what is known of the provider. */
export interface ProviderTemplate {
  readonly key: TemplateKey;
  /** Absent for another provider. */
  readonly name?: string;
  readonly protocol: 'oidc';
  readonly asks: readonly AskedValue[];
  /** The issuer of what was typed. */
  issuer(typed: (name: AskedValue['name']) => string): string;
  /** What the provider calls the two halves of the credential. */
  readonly clientId: string;
  readonly clientSecret: string;
  /** Settings of the provider that differ from the usual ones. */
  readonly provider?: Readonly<Record<string, unknown>>;
  /** The claim that never changes and equals the `externalId`. Absent: `sub`. */
  readonly identifierClaim?: string;
  /** Claims with the values of a new person that differ from the usual ones. */
  readonly claims?: Readonly<Record<string, string>>;
  /** The name of its guide, which the service serves. */
  readonly guide: string;
}

const templateKeys = [
  'entra',
  'okta',
  'google',
  'keycloak',
  'onelogin',
  'ping',
  'adfs',
  'jumpcloud',
  'github',
  'microsoft',
  'apple',
  'other',
] as const;

export type TemplateKey = (typeof templateKeys)[number];

/** What was typed, as the host of an address: without `https://`, and without what follows the host. */
function hostOf(typed: string): string {
  return typed.replace(/^https:\/\//i, '').replace(/\/.*$/s, '');
}

const askedIssuer = (placeholder: string): AskedValue => ({ name: 'issuer', label: 'Issuer', placeholder });

/** The providers that have a form of their own. Anybody can make an account at GitHub, at Apple, and a Microsoft account. */
export const templates: readonly ProviderTemplate[] = [
  {
    key: 'entra',
    name: 'Microsoft Entra ID',
    protocol: 'oidc',
    asks: [
      {
        name: 'tenant',
        label: 'Directory (tenant) ID',
        placeholder: '8f2c1d3e-5a6b-4c7d-9e0f-1a2b3c4d5e6f',
      },
    ],
    issuer: (typed) => `https://login.microsoftonline.com/${typed('tenant').toLowerCase()}/v2.0`,
    clientId: 'Application (client) ID',
    clientSecret: 'Client secret (Value)',
    identifierClaim: 'oid',
    guide: 'connect-entra',
  },
  {
    key: 'okta',
    name: 'Okta',
    protocol: 'oidc',
    asks: [{ name: 'domain', label: 'Okta domain', placeholder: 'acme.okta.com' }],
    issuer: (typed) => `https://${hostOf(typed('domain'))}`,
    clientId: 'Client ID',
    clientSecret: 'Client secret',
    guide: 'connect-okta',
  },
  {
    key: 'google',
    name: 'Google Workspace',
    protocol: 'oidc',
    asks: [{ name: 'hostedDomain', label: 'Primary domain', placeholder: 'acme.example' }],
    issuer: () => 'https://accounts.google.com',
    clientId: 'Client ID',
    clientSecret: 'Client secret',
    guide: 'connect-google',
  },
  {
    key: 'keycloak',
    name: 'Keycloak',
    protocol: 'oidc',
    asks: [
      { name: 'host', label: 'Host', placeholder: 'sso.acme.example' },
      { name: 'realm', label: 'Realm', placeholder: 'acme' },
    ],
    issuer: (typed) => `https://${hostOf(typed('host'))}/realms/${pathSegment(typed('realm'))}`,
    clientId: 'Client ID',
    clientSecret: 'Client Secret',
    guide: 'connect-keycloak',
  },
  {
    key: 'onelogin',
    name: 'OneLogin',
    protocol: 'oidc',
    asks: [{ name: 'domain', label: 'OneLogin domain', placeholder: 'acme.onelogin.com' }],
    issuer: (typed) => `https://${hostOf(typed('domain'))}/oidc/2`,
    clientId: 'Client ID',
    clientSecret: 'Client Secret',
    guide: 'connect-onelogin',
  },
  {
    key: 'ping',
    name: 'PingOne',
    protocol: 'oidc',
    asks: [
      {
        name: 'issuer',
        label: 'Issuer ID',
        placeholder: 'https://auth.pingone.eu/8f2c1d3e-5a6b-4c7d-9e0f-1a2b3c4d5e6f/as',
      },
    ],
    issuer: (typed) => typed('issuer'),
    clientId: 'Client ID',
    clientSecret: 'Client Secret',
    guide: 'connect-ping',
  },
  {
    key: 'adfs',
    name: 'AD FS',
    protocol: 'oidc',
    asks: [{ name: 'host', label: 'Federation Service name', placeholder: 'fs.acme.example' }],
    issuer: (typed) => `https://${hostOf(typed('host'))}/adfs`,
    clientId: 'Client Identifier',
    clientSecret: 'Shared secret',
    provider: { authMethod: 'client_secret_post', scopes: ['allatclaims', 'profile', 'email'] },
    claims: {
      userName: 'upn',
      givenName: 'given_name',
      familyName: 'family_name',
      displayName: 'unique_name',
      email: 'email',
    },
    guide: 'connect-adfs',
  },
  {
    key: 'jumpcloud',
    name: 'JumpCloud',
    protocol: 'oidc',
    asks: [],
    issuer: () => 'https://oauth.id.jumpcloud.com/',
    clientId: 'Client ID',
    clientSecret: 'Client Secret',
    guide: 'connect-jumpcloud',
  },
  {
    key: 'github',
    name: 'GitHub',
    protocol: 'oidc',
    asks: [{ name: 'host', label: 'Host', placeholder: 'acme.ghe.com', usual: 'github.com' }],
    issuer: (typed) => `https://${hostOf(typed('host')).toLowerCase()}`,
    clientId: 'Client ID',
    clientSecret: 'Client secret',
    provider: { api: 'github', scopes: ['read:user', 'user:email'] },
    guide: 'connect-github',
  },
  {
    key: 'microsoft',
    name: 'Microsoft account',
    protocol: 'oidc',
    asks: [],
    // The tenant of all private accounts.
    issuer: () => 'https://login.microsoftonline.com/9188040d-6c67-4c5b-b112-36a304b66dad/v2.0',
    clientId: 'Application (client) ID',
    clientSecret: 'Client secret (Value)',
    guide: 'connect-microsoft',
  },
  {
    key: 'apple',
    name: 'Apple',
    protocol: 'oidc',
    asks: [],
    issuer: () => 'https://appleid.apple.com',
    clientId: 'Services ID (Identifier)',
    clientSecret: 'Client secret (JWT)',
    provider: { authMethod: 'client_secret_post', answersByForm: true, scopes: ['name', 'email'] },
    guide: 'connect-apple',
  },
  {
    key: 'other',
    protocol: 'oidc',
    asks: [askedIssuer('https://id.acme.example')],
    issuer: (typed) => typed('issuer'),
    clientId: 'client_id',
    clientSecret: 'client_secret',
    guide: 'connections',
  },
];

/** The template with a key. Undefined for any other text. */
export function templateOf(key: string): ProviderTemplate | undefined {
  return templates.find((template) => template.key === key);
}
