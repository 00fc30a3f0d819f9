import type { ClientKey } from '../credentials/client-key.js';
import type { ClientSecret } from '../credentials/client-secret.js';
import type { FederatedCredential } from '../credentials/federated-credential.js';

/** A program that calls the APIs. It has no password, but secrets, keys and personal access tokens. */
export interface ServiceUser {
  readonly id: string;
  readonly orgId: string;
  /** Together with a secret also a client_id. Unique in its organization, without regard to letter case. */
  readonly userName: string;
  readonly name: string;
  readonly description?: string;
  readonly active: boolean;
  /** The form of its access tokens: sealed, or a JWT (RFC 9068). */
  readonly accessTokenType: 'opaque' | 'jwt';
  /** Whether SCIM drops the password of users that this client creates. Some clients always send a random password. */
  readonly ignorePasswordOnCreate: boolean;
  /** Whether SCIM drops every password that this client sends, also those of changes. Absent means no. */
  readonly ignorePasswords?: boolean;
  /** Whether its SCIM errors have only what RFC 7644 section 3.12 names. Absent means no. */
  readonly plainScimErrors?: boolean;
  /** Several, so that each can be replaced while another one is in use. */
  readonly secrets: readonly ClientSecret[];
  /** Whether its assertions must name one audience as a single string. Absent in what earlier versions added. */
  readonly singleAudience?: boolean;
  /** Public keys for the assertions that the service user signs. */
  readonly keys: readonly ClientKey[];
  /** The outside issuers whose JWTs prove the service user. Absent means none. */
  readonly federatedCredentials?: readonly FederatedCredential[];
  readonly version: number;
  readonly created: Date;
  readonly lastModified: Date;
}

/** A long-lived bearer token of a service user, as it is stored. */
export interface PersonalAccessToken {
  readonly id: string;
  readonly userId: string;
  readonly orgId: string;
  readonly hash: string;
  readonly created: Date;
  readonly expires: Date;
}
