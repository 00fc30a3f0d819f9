import type { Acr } from '#src/directory/index.js';
import type { SigningAlgorithm } from '#src/keys/signing-key.js';
import type { ClientKey } from '../credentials/client-key.js';
import type { ClientSecret } from '../credentials/client-secret.js';

/** How a client authenticates at the token endpoint (OpenID Connect Core section 9, RFC 7636). */
export type ClientAuthMethod = 'client_secret_basic' | 'client_secret_post' | 'private_key_jwt' | 'none';

export type ResponseType = 'code' | 'id_token' | 'id_token token';

/** The grants that an application must allow. */
export const applicationGrantTypes = [
  'authorization_code',
  'refresh_token',
  'implicit',
  'urn:ietf:params:oauth:grant-type:token-exchange',
] as const;

export type GrantType = (typeof applicationGrantTypes)[number];

export type ApplicationType = 'web' | 'spa' | 'native' | 'api';

/** What the administrators of an application decide. `application-settings.ts` has a row for each setting. */
export interface ApplicationSettings {
  readonly name: string;
  /** An `api` only introspects tokens. It has no redirect URIs. */
  readonly type: ApplicationType;
  /**
   * Applications of one project share their audience. An API of the project may introspect the tokens of its
   * applications.
   */
  readonly projectId?: string;
  readonly authMethod: ClientAuthMethod;
  /**
   * Whether a secret must come by `authMethod` alone. If not, it may come in the header or in the form, whichever of the two is
   * registered.
   */
  readonly strictAuthMethod: boolean;
  /**
   * Compared exactly. Native applications are an exception: the port of a loopback address may differ (RFC 8252 section
   * 7.3).
   */
  readonly redirectUris: readonly string[];
  readonly postLogoutRedirectUris: readonly string[];
  readonly responseTypes: readonly ResponseType[];
  readonly grantTypes: readonly GrantType[];
  readonly accessTokenType: 'opaque' | 'jwt';
  /** Whether the ID token contains the claims of the scopes even when an access token is issued. */
  readonly idTokenUserinfoAssertion: boolean;
  /** Whether the claim `groups` has the names of groups or their identifiers. */
  readonly groupsClaim: 'names' | 'identifiers';
  /** Which groups of a person it has: all of them, or those that have roles in the project of the application. */
  readonly groupsClaimSelection: 'all' | 'assigned';
  /** If not empty, it has only groups whose name begins with this text, in any letter case. */
  readonly groupsClaimPrefix: string;
  /** The algorithm that signs its ID tokens. If absent, the configured one of the instance signs. */
  readonly idTokenSignedResponseAlg?: SigningAlgorithm;
  /**
   * Whether only users of the owning organization may sign in. If not, the application is open: it serves users of other
   * organizations too, after `approved`, a grant of their organization, or with their consent.
   */
  readonly orgOnly: boolean;
  /** What its sign-ins must reach at least. If absent, what the organization of the person demands is enough. */
  readonly acr?: Exclude<Acr, '1'>;
  /** The identifiers of the groups of its organization whose members alone may use it. If empty, everybody may whom it serves. */
  readonly allowedGroups: readonly string[];
  /**
   * The connection of its organization by which people sign in, unless a request names another one. If empty, or of no connection that is switched on,
   * none leads.
   */
  readonly connectionId: string;
}

/** The settings of a new application. An absent setting gets the default of the type. */
export type GivenSettings = Pick<ApplicationSettings, 'name' | 'type'> & Partial<ApplicationSettings>;

/** A client of the OpenID provider: a program that users sign in to, or an API that introspects tokens. */
export interface Application extends ApplicationSettings {
  /** Also the client_id. */
  readonly id: string;
  /**
   * The organization that owns the application. Its users may sign in. For others, see `orgOnly`.
   */
  readonly orgId: string;
  /** The algorithm that signs its ID tokens until clients know the keys of the chosen one. Absent means the one of the instance. */
  readonly formerIdTokenAlg?: SigningAlgorithm;
  /** Whether an owner of the instance approved it for the users of every organization. */
  readonly approved?: boolean;
  /** Whether an owner of the instance lets it request the scope with which people administer. See `administersFor`. */
  readonly administers?: boolean;
  readonly active: boolean;
  /** At most two, so that a client can replace a secret while the other one is in use. */
  readonly secrets: readonly ClientSecret[];
  /** Whether its assertions must name one audience as a single string. Absent in what earlier versions added. */
  readonly singleAudience?: boolean;
  /** Public keys for private_key_jwt, and for JWTs that the application signs. */
  readonly keys: readonly ClientKey[];
  readonly version: number;
  readonly created: Date;
  readonly lastModified: Date;
}
