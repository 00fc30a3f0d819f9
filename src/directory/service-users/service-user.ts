import type { ClientKey } from '../credentials/client-key.js';
import type { ClientSecret } from '../credentials/client-secret.js';

/** A program that calls the APIs: it has no password, but secrets, keys and personal access tokens. */
export interface ServiceUser {
  readonly id: string;
  readonly orgId: string;
  /** With a secret also the client_id; unique in its organization whatever the case. */
  readonly userName: string;
  readonly name: string;
  readonly description?: string;
  readonly active: boolean;
  /** Form of the access tokens it gets: sealed, or a JWT after RFC 9068. */
  readonly accessTokenType: 'opaque' | 'jwt';
  /** Drops the password of users it creates over SCIM: for clients that always send a random one. */
  readonly ignorePasswordOnCreate: boolean;
  /** At most two, so that one can be replaced while the other still serves. */
  readonly secrets: readonly ClientSecret[];
  /** Public keys for the assertions that it signs. */
  readonly keys: readonly ClientKey[];
  readonly version: number;
  readonly created: Date;
  readonly lastModified: Date;
}

/** A long-lived bearer token of a service user as it is kept. */
export interface PersonalAccessToken {
  readonly id: string;
  readonly userId: string;
  readonly orgId: string;
  readonly hash: string;
  readonly created: Date;
  readonly expires: Date;
}
