import type { JWK } from 'jose';
import type { ClaimMapping, ClaimNames } from './mapping.js';
import type { SamlProvider } from './saml-provider.js';

/**
 * How people of one organization sign in at a provider outside. Everything about it is of this organization: another one may name the
 * same provider, and shares nothing.
 */
export type Connection = OidcConnection | SamlConnection;

export type OidcConnection = StoredConnection & OidcSettings;

export type SamlConnection = StoredConnection & SamlSettings;

/** What this service keeps beside the settings. */
interface StoredConnection {
  readonly id: string;
  readonly orgId: string;
  readonly version: number;
  readonly created: Date;
  readonly lastModified: Date;
  /** The client secret at the provider, sealed, in base64url. */
  readonly sealedSecret?: string;
  /**
   * Our key for `private_key_jwt` and for SAML: the private part sealed, in base64url. Each connection has a key of its own. `certificate`
   * is that of SAML, in the PEM format.
   */
  readonly ownKey?: {
    readonly publicJwk: JWK;
    readonly sealedPrivateJwk: string;
    readonly certificate?: string;
  };
  /** When the client secret ends at the provider, as an administrator said. */
  readonly secretEnds?: Date;
  /** The end of which the owners were told by mail. */
  readonly endTold?: Date;
  /** Sign-ins that began before it have ended, waiting or not. */
  readonly signInsSince: Date;
}

/** What an administrator says about a connection, without its secrets. */
export type ConnectionSettings = OidcSettings | SamlSettings;

interface OidcSettings extends CommonSettings {
  readonly protocol: 'oidc';
  readonly provider: OidcProvider;
}

interface SamlSettings extends CommonSettings {
  readonly protocol: 'saml';
  readonly provider: SamlProvider;
}

/** The settings that do not depend on the protocol. */
export interface CommonSettings {
  /** What people see on the button, such as `Entra`. */
  readonly name: string;
  /** Whether people may sign in by it. */
  readonly enabled: boolean;
  /** The domains of the organization whose people it signs in. Only verified domains of the organization count. */
  readonly domains: readonly string[];
  readonly linking: LinkingRules;
  /** What happens to somebody whom no rule links: a new person, or a refusal. */
  readonly creation: 'create' | 'refuse';
  /** How strong a sign-in at the provider counts here. */
  readonly strength: GrantedStrength;
  /** Where the values of a new person come from. */
  readonly claims: ClaimNames;
  /** What the plain names of `claims` cannot say, and what happens at later sign-ins. */
  readonly mapping: ClaimMapping;
}

/**
 * `single`: one factor, whatever the provider says. `claimed`: several factors if the ID token says so in `amr` or by one of
 * {@link OidcProvider.multiFactorAcrs}. `multiple`: always several factors.
 */
export type GrantedStrength = 'single' | 'claimed' | 'multiple';

export const grantedStrengths = ['single', 'claimed', 'multiple'] as const satisfies GrantedStrength[];

/** A provider of OpenID Connect, or of OAuth 2.0 alone, and the client that this service is there. */
export interface OidcProvider {
  /**
   * The API that says who somebody is, at a provider without ID tokens: that of GitHub, or of a GitHub Enterprise Server. It never changes. Absent: the
   * provider has OpenID Connect.
   */
  readonly api?: 'github';
  /** Its `iss`, compared whole. It never changes, because subjects are unique at one issuer alone. */
  readonly issuer: string;
  readonly clientId: string;
  readonly authMethod: ProviderAuthMethod;
  /** The addresses, if they are given by hand. Absent: the discovery document of the issuer has them. */
  readonly endpoints?: ProviderEndpoints;
  /** Scopes beside `openid`. */
  readonly scopes: readonly string[];
  /** The only Google Workspace domain whose people may sign in: the claim `hd`. */
  readonly hostedDomain?: string;
  /** Values of `acr` that mean several factors. */
  readonly multiFactorAcrs: readonly string[];
  /** Whether the provider answers by a form, as Apple does. */
  readonly answersByForm: boolean;
  /** Whether a sign-out here goes on to the provider, if it has an end session endpoint. Absent: no. */
  readonly endsSession?: boolean;
  /** Whether claims that the ID token lacks are read from the UserInfo endpoint. */
  readonly readsUserInfo: boolean;
}

/**
 * Whether its provider can show that somebody has just signed in: by `auth_time` of an ID token, or by `AuthnInstant` of SAML. GitHub has neither
 * (decision 80).
 */
export function canShowFreshness({ protocol, provider }: Pick<Connection, 'protocol' | 'provider'>): boolean {
  return protocol === 'saml' || !('api' in provider);
}

/** Within what the subjects of a provider are unique: its issuer, and the way to ask who somebody is. It never changes. */
export function subjectSpaceOf(provider: OidcProvider | SamlProvider): string {
  return `${'api' in provider ? provider.api : ''} ${provider.issuer}`;
}

/** How this service authenticates at the provider (OpenID Connect Core section 9). `none` is PKCE alone. */
export type ProviderAuthMethod = 'client_secret_basic' | 'client_secret_post' | 'private_key_jwt' | 'none';

export const providerAuthMethods = [
  'client_secret_basic',
  'client_secret_post',
  'private_key_jwt',
  'none',
] as const satisfies ProviderAuthMethod[];

export interface ProviderEndpoints {
  readonly authorization: string;
  readonly token: string;
  readonly keys: string;
  readonly userInfo?: string;
  readonly endSession?: string;
}

/** When an identity that is new here belongs to a person who exists. Each rule is off unless an administrator turns it on. */
interface LinkingRules {
  /**
   * The service user that provisions people of this provider by SCIM. It has externalIds of its own (decision 84). A person whom it added,
   * and gave the `externalId` that arrives in `identifierClaim`, is linked.
   */
  readonly provisionedBy?: string;
  /** The claim that never changes and equals the `externalId`: `oid` of Entra, `sub` of most others. */
  readonly identifierClaim: string;
  /** Whether a verified address in one of the `domains` of the connection links to the person of the organization who has it. */
  readonly byDomain: boolean;
  /** Whether a person may link an identity by proving an account freshly: at the first sign-in, and on the account page. */
  readonly byPerson: boolean;
}

/** The claims of OpenID Connect Core section 5.1. */
export const usualClaims: ClaimNames = {
  givenName: 'given_name',
  familyName: 'family_name',
  displayName: 'name',
  email: 'email',
  locale: 'locale',
  timezone: 'zoneinfo',
};

/** The most connections of an organization. */
export const mostConnections = 20;
/** The longest name of a scope or claim, and the longest value of `acr`, in characters. */
export const longestClaimName = 200;
/** The longest issuer, `client_id` and address, in characters. */
export const longestProviderText = 500;
/** The longest client secret, in characters. */
export const longestSecret = 1_000;
export const mostScopes = 20;
export const mostAcrs = 20;
export const mostConnectionDomains = 100;
