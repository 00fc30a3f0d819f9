import type { Mongo } from '#src/platform/mongo/mongo.js';
import { type AccountsStore, createAccountsStore } from './accounts.store.js';
import {
  createOneTimeLinksStore,
  type OneTimeLinksStore,
  oneTimeLinkIndexes,
} from './one-time-links.store.js';
import {
  createIdentityLinksStore,
  createWebauthnCredentialsStore,
  type IdentityLinksStore,
  personListCollections,
  type WebauthnCredentialsStore,
} from './person-lists/person-lists.store.js';

/** The collections of the room, with their indexes. Passwords and second factors are a part of users, which are another room's. */
export const accountCollections = [oneTimeLinkIndexes, ...personListCollections];

/** What the room offers. */
export interface OpenedAccounts {
  readonly accounts: AccountsStore;
  readonly oneTimeLinks: OneTimeLinksStore;
  readonly identityLinks: IdentityLinksStore;
  readonly webauthnCredentials: WebauthnCredentialsStore;
}

/** Opens the credentials of people, and their links. */
export function openAccounts({ mongo }: { readonly mongo: Mongo }): OpenedAccounts {
  return {
    accounts: createAccountsStore(mongo),
    oneTimeLinks: createOneTimeLinksStore(mongo),
    identityLinks: createIdentityLinksStore(mongo),
    webauthnCredentials: createWebauthnCredentialsStore(mongo),
  };
}
