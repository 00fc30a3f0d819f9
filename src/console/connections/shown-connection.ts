import { segmentOf } from '../http/segments.js';
import { type ConsoleVisit, param } from '../http/visit.js';
import { apiOf, pathOf } from '../resources/organization-of.js';

/** The addresses of a provider that has no discovery document. */
export const endpointNames = ['authorization', 'token', 'keys', 'userInfo', 'endSession'] as const;

/** The controls of the addresses. A control whose name sounds like a secret would never come back with what was typed. */
export const endpointControls: Readonly<Record<(typeof endpointNames)[number], string>> = {
  authorization: 'at_authorization',
  token: 'at_exchange',
  keys: 'at_jwks',
  userInfo: 'at_userInfo',
  endSession: 'at_endSession',
};

/** Values of a new user that claims have. */
export const claimNames = [
  'userName',
  'givenName',
  'familyName',
  'displayName',
  'email',
  'phoneNumber',
  'preferredLanguage',
  'locale',
  'timezone',
  'title',
  'department',
  'roles',
  'entitlements',
] as const;

/** A provider of OpenID Connect as the admin API shows it. */
export interface ShownOidcProvider {
  readonly issuer: string;
  /** Absent for a provider of OpenID Connect. */
  readonly api?: 'github';
  readonly clientId: string;
  readonly authMethod: 'client_secret_basic' | 'client_secret_post' | 'private_key_jwt' | 'none';
  readonly hasSecret: boolean;
  readonly publicKey?: object;
  readonly endpoints?: Partial<Record<(typeof endpointNames)[number], string>>;
  readonly scopes: readonly string[];
  readonly hostedDomain?: string;
  readonly multiFactorAcrs: readonly string[];
  readonly answersByForm: boolean;
  readonly readsUserInfo: boolean;
  readonly endsSession: boolean;
}

/** A provider of SAML as the admin API shows it. */
interface ShownSamlProvider {
  readonly issuer: string;
  readonly signIn: { readonly address: string; readonly binding: string };
  readonly certificates: readonly string[];
  /** How many the metadata has besides, of keys that do not count here. */
  readonly unusableCertificates: number;
  readonly metadataUrl?: string;
  readonly signedPart: string;
  readonly allowsSha1: boolean;
  readonly nameIdFormat: string;
  readonly subjectAttribute?: string;
  readonly signsRequests: boolean;
  readonly startsAtProvider: boolean;
  readonly endsSession: boolean;
  readonly multiFactorAcrs: readonly string[];
}

/** A provider of SAML, and what it must know of this service. */
export interface ShownSaml {
  readonly protocol: 'saml';
  readonly service: {
    readonly entityId: string;
    readonly acsUrl: string;
    readonly sloUrl: string;
    readonly certificate: string;
  };
  readonly provider: ShownSamlProvider;
}

interface ShownOidc {
  readonly protocol: 'oidc';
  readonly redirectUri: string;
  readonly postLogoutRedirectUri: string;
  readonly provider: ShownOidcProvider;
}

/** A connection as the admin API shows it. */
export type ShownConnection = ShownSettings & (ShownOidc | ShownSaml);

/** What does not depend on the protocol. */
interface ShownSettings {
  readonly id: string;
  readonly orgId: string;
  readonly name: string;
  readonly enabled: boolean;
  readonly domains: readonly string[];
  readonly linking: {
    readonly provisionedBy?: string;
    readonly identifierClaim: string;
    readonly byDomain: boolean;
    readonly byPerson: boolean;
  };
  readonly creation: 'create' | 'refuse';
  readonly strength: 'single' | 'claimed' | 'multiple';
  readonly claims: Partial<Record<(typeof claimNames)[number], string>>;
  readonly mapping: {
    readonly when: 'first' | 'always';
    readonly values: readonly {
      readonly to: (typeof claimNames)[number];
      readonly from: readonly string[];
      readonly constant?: string;
      readonly lowerCase?: boolean;
    }[];
    readonly groups: readonly { readonly claim: string; readonly value: string; readonly groupId: string }[];
  };
  readonly version: number;
  readonly created: string;
  readonly lastModified: string;
  /** When the secret, or the last certificate of the provider, ends. */
  readonly credentialEnds?: string;
}

/** Whether a connection works, as the admin API says. */
export interface ConnectionHealth {
  readonly lastSignIn?: string;
  readonly lastProvisioning?: { readonly time: string; readonly status: number };
  readonly refusals: readonly {
    readonly time: string;
    readonly reason: string;
    readonly detail?: string;
    readonly userId?: string;
  }[];
}

/** The path of the connection of the page in the admin API, and below it. */
export function connectionApi(visit: ConsoleVisit, below = ''): string {
  return apiOf(visit, `/connections/${segmentOf(param(visit, 'connectionId'))}${below}`);
}

/** The path of the connection of the page in the console, and below it. */
export function connectionPath(visit: ConsoleVisit, below = ''): string {
  return pathOf(visit, `/connections/${segmentOf(param(visit, 'connectionId'))}${below}`);
}

/** Reads the connection of the page. @throws ApiProblem if there is none that the person reaches */
export function connectionOf(visit: ConsoleVisit): Promise<ShownConnection> {
  return visit.api.get<ShownConnection>(connectionApi(visit));
}
