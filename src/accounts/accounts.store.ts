import type { Collection, Sort } from 'mongodb';
import { clientExternalIdKey } from '#src/directory/index.js';
import type { UserTotalsStore } from '#src/organizations/index.js';
import type { Mongo } from '#src/platform/mongo/mongo.js';
import { batchReads, usualBatches } from '#src/platform/work/batcher.js';
import type { Account } from './account.js';
import { type AccountBatches, createAccountBatches, type ReadLengths } from './account-batches.store.js';
import { type AccountDocument, accountProjection as projection, toAccount } from './account-document.js';
import { type AccountFactors, createAccountFactors } from './account-factors.store.js';
import { type AccountWrites, createAccountWrites } from './account-writes.store.js';
import { credentialsStamp } from './credentials-stamp.js';

/** Finds the accounts that a sign-in may mean. */
interface AccountFinds {
  /** Simultaneous calls for an organization share one query. */
  find(orgId: string, id: string): Promise<Account | undefined>;
  /** Finds the account by its folded userName. */
  findByUserName(orgId: string, key: string): Promise<Account | undefined>;
  /**
   * Returns at most 20 accounts with this folded primary address. An address with `verified: false` does not match.
   */
  findByEmail(orgId: string, key: string): Promise<Account[]>;
  /** Returns at most two accounts with this externalId, in which letter case counts. */
  findByExternalId(orgId: string, externalId: string): Promise<Account[]>;
  /** Returns at most two accounts to which the client gave this externalId as its own, in which letter case counts. */
  findByClientExternalId(
    orgId: string,
    of: { readonly serviceUserId: string; readonly value: string },
  ): Promise<Account[]>;
  /**
   * Returns accounts of any organization with this folded login name, so that the one that has it for the longest time is
   * among them. Exception: 20 others got the name before it changed another of its names.
   */
  findAnywhere(key: string): Promise<Account[]>;
  /** Returns at most 20 accounts of any organization with this folded primary address and `verified: true`. */
  findProved(key: string): Promise<Account[]>;
  /** Returns whether the user is active, and its credentials are those of the stamp; see {@link credentialsStamp}. */
  hasCredentials(orgId: string, of: { readonly id: string; readonly stamp: string }): Promise<boolean>;
  /** Returns the accounts of the organization with one of these identifiers. */
  findEach(orgId: string, ids: readonly string[]): Promise<Account[]>;
  /**
   * Returns the accounts with one of these folded userNames, and those of any organization with one of these
   * identifiers.
   */
  findTaken(
    orgId: string,
    names: { readonly ids: readonly string[]; readonly userNames: readonly string[] },
  ): Promise<Account[]>;
}

/** Reads and writes users with their credentials, for sign-in. The users store never returns credentials. */
export interface AccountsStore extends AccountFinds, AccountFactors, AccountBatches, AccountWrites {}

/** The most accounts that a look-up of a login name reads. */
const mostClaims = 20;

const undoubted = { emails: { $not: { $elemMatch: { primary: true, verified: false } } } };

/**
 * @param totals gets every change of the factors of a user, in its transaction
 * @param lengths how much is read at once; see {@link AccountBatches}
 */
export function createAccountsStore(
  mongo: Mongo,
  totals: Pick<UserTotalsStore, 'add'>,
  lengths?: ReadLengths,
): AccountsStore {
  const users = mongo.collection<AccountDocument>('users');
  return {
    ...accountFinds(users),
    ...createAccountFactors(users),
    ...createAccountBatches(users, lengths),
    ...createAccountWrites(users, totals),
  };
}

function accountFinds(users: Collection<AccountDocument>): AccountFinds {
  // Each organization has a lane of its own.
  const findDocument = batchReads(
    async (asked: readonly { readonly orgId: string; readonly id: string }[]) => {
      const ids = asked.map(({ id }) => id);
      const found = await users
        .find({ _id: { $in: ids }, orgId: asked[0]?.orgId as string }, { projection })
        .limit(ids.length)
        .batchSize(ids.length + 1)
        .toArray();
      const byId = new Map(found.map((document) => [document._id, document]));
      return ({ id }) => byId.get(id);
    },
    usualBatches,
    ({ orgId }) => orgId,
  );
  return {
    async find(orgId, id) {
      const document = await findDocument({ orgId, id });
      return document && toAccount(document);
    },
    async findByUserName(orgId, key) {
      const document = await users.findOne({ orgId, 'search.userName': key }, { projection });
      return document === null ? undefined : toAccount(document);
    },
    async findByEmail(orgId, key) {
      const filter = { orgId, 'search.primaryEmail': key, ...undoubted };
      return (await users.find(filter, { projection }).limit(mostClaims).toArray()).map(toAccount);
    },
    async findByExternalId(orgId, externalId) {
      return (await users.find({ orgId, externalId }, { projection }).limit(2).toArray()).map(toAccount);
    },
    async findByClientExternalId(orgId, { serviceUserId, value }) {
      const filter = { orgId, 'search.attributes': clientExternalIdKey(serviceUserId, value) };
      return (await users.find(filter, { projection }).limit(2).toArray()).map(toAccount);
    },
    async findAnywhere(key) {
      const find = (since: unknown, first: Sort, limit: number) => {
        const filter = { 'search.loginNames': key, 'search.loginNamesChanged': since };
        return users.find(filter, { projection }).sort(first).limit(limit).toArray();
      };
      // Two since their creation, because two may have the name for the same time.
      const found = await Promise.all([
        find(null, { created: 1 }, 2),
        find({ $gt: new Date(0) }, { 'search.loginNamesChanged': 1 }, mostClaims),
      ]);
      return found.flat().map(toAccount);
    },
    async findProved(key) {
      const proved = { emails: { $elemMatch: { primary: true, verified: true } } };
      const filter = { 'search.loginNames': key, 'search.primaryEmail': key, ...proved };
      return (await users.find(filter, { projection }).limit(mostClaims).toArray()).map(toAccount);
    },
    async hasCredentials(orgId, { id, stamp }) {
      const stamped = { 'password.changed': 1, 'totp.enrolled': 1, 'passkeys.changed': 1 } as const;
      const found = await users.findOne({ _id: id, orgId, active: true }, { projection: stamped });
      return found !== null && credentialsStamp(found) === stamp;
    },
    async findEach(orgId, ids) {
      const found = users.find({ _id: { $in: [...ids] }, orgId }, { projection }).batchSize(ids.length + 1);
      return (await found.toArray()).map(toAccount);
    },
    async findTaken(orgId, { ids, userNames }) {
      const [byId, byName] = await Promise.all([
        ids.length === 0
          ? []
          : users
              .find({ _id: { $in: [...ids] } }, { projection })
              // One more than there can be, so that no other command asks whether there are more.
              .batchSize(ids.length + 1)
              .toArray(),
        userNames.length === 0
          ? []
          : users
              .find({ orgId, 'search.userName': { $in: [...userNames] } }, { projection })
              .batchSize(userNames.length + 1)
              .toArray(),
      ]);
      const known = new Set(byId.map(({ _id }) => _id));
      return [...byId, ...byName.filter(({ _id }) => !known.has(_id))].map(toAccount);
    },
  };
}
