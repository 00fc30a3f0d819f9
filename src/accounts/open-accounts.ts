import type { UserTotalsStore } from '#src/organizations/index.js';
import type { Mongo } from '#src/platform/mongo/mongo.js';
import { type AccountsStore, createAccountsStore } from './accounts.store.js';
import {
  createIdentityHolders,
  createPasskeyHolders,
  type IdentityHolders,
  type PasskeyHolders,
} from './list-holders.store.js';
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
  readonly identityLinks: IdentityLinksStore & IdentityHolders;
  readonly webauthnCredentials: WebauthnCredentialsStore & PasskeyHolders;
}

/** Opens the credentials of people, and their links. */
export function openAccounts({
  mongo,
  userTotals,
}: {
  readonly mongo: Mongo;
  readonly userTotals: UserTotalsStore;
}): OpenedAccounts {
  return {
    accounts: createAccountsStore(mongo, userTotals),
    oneTimeLinks: createOneTimeLinksStore(mongo),
    identityLinks: { ...createIdentityLinksStore(mongo), ...createIdentityHolders(mongo) },
    webauthnCredentials: { ...createWebauthnCredentialsStore(mongo), ...createPasskeyHolders(mongo) },
  };
}
