import type { Filter } from 'mongodb';
import type { ImportedCredentials, PasswordCredential, TotpCredential } from '#src/accounts/index.js';
import type { User } from '#src/directory/index.js';
import type { UserTotalsStore } from '#src/organizations/index.js';
import { lockDocument } from '#src/platform/mongo/documents.js';
import { byId, hinted } from '#src/platform/mongo/hinted.js';
import type { Mongo, Transaction } from '#src/platform/mongo/mongo.js';
import {
  type PacedReader,
  type PageEnd,
  pacedBy,
  quickNames,
  type ReadPace,
  readPaced,
  readPortions,
  takePage,
} from '#src/platform/mongo/paced-reads.js';
import { createSingleFlight } from '#src/platform/work/single-flight.js';
import { userCondition } from '../queries/condition.js';
import type { ResourceQuery } from '../queries/query.js';
import { createTakenKeys } from './taken-keys.store.js';
import type { UniqueKey } from './unique-values.js';
import { optionalFields, toDocument, toUser, type UserDocument, withoutSecrets } from './user-document.js';
import { createUserLookUp } from './user-look-up.store.js';
import { createUserPages, type ReadUserPage, type UserPage, type UserPageQuery } from './user-pages.store.js';

/** A user to add, with its credentials if there are any. */
export interface NewUser {
  readonly user: User;
  readonly password?: PasswordCredential;
  readonly totp?: TotpCredential;
  readonly importedCredentials?: ImportedCredentials;
}

/** Stores the users of one organization. Every method that takes an organization reads and writes only its users. */
export interface UsersStore {
  find(orgId: string, id: string): Promise<User | undefined>;
  /** Returns the organization of a user, in any organization. Roles contain only the user. */
  organizationOf(id: string): Promise<string | undefined>;
  /** Returns the organizations of these users, by user. Unknown ones are left out. */
  organizationsOf(ids: readonly string[]): Promise<Map<string, string>>;
  /** Returns these users in the order of their identifiers. Unknown ones are left out. */
  findMany(orgId: string, ids: readonly string[]): Promise<User[]>;
  /** Returns those of these users who exist in the organization. */
  existing(orgId: string, ids: readonly string[], transaction?: Transaction): Promise<Set<string>>;
  /** Returns the displayNames of these users, by user. Unknown ones are left out. */
  displayNamesOf(orgId: string, ids: readonly string[]): Promise<Map<string, string>>;
  /** Returns an externalId that several users have, if there is one. Reads the index of all users. */
  sharedExternalId(orgId: string): Promise<string | undefined>;
  /** Returns those of the keys that users of the organization have, other than the given user. */
  takenKeys(orgId: string, keys: readonly UniqueKey[], exceptId?: string): Promise<Set<UniqueKey>>;
  /** @throws the duplicate-key error of MongoDB if an id or a userName is taken */
  insert(orgId: string, added: readonly NewUser[], transaction: Transaction): Promise<void>;
  /**
   * Returns whether the user exists. Use it before writing other data of the user. The call writes to the document. If
   * another transaction removes the user at the same time, MongoDB aborts one of the two, and that one runs again.
   */
  lock(orgId: string, id: string, transaction: Transaction): Promise<boolean>;
  /**
   * Writes the user if its version is `expectedVersion`. Returns whether it wrote the user.
   * @param change `current`: also requires what a client gave to be this. They may change without a new version
   */
  replace(
    orgId: string,
    change: {
      user: User;
      expectedVersion: number;
      current?: Pick<User, 'name' | 'displayNameGiven' | 'preferredLanguageGiven'>;
      password?: PasswordCredential | null;
      totp?: TotpCredential;
      importedCredentials?: ImportedCredentials;
    },
    transaction: Transaction,
  ): Promise<boolean>;
  /** Removes the user if its version is `expectedVersion`. Returns whether it removed the user. */
  remove(
    orgId: string,
    target: { id: string; expectedVersion: number },
    transaction: Transaction,
  ): Promise<boolean>;
  page(orgId: string, query: UserPageQuery): Promise<UserPage>;
  /** Reads a page for a reader that takes the users in portions. */
  readPage(orgId: string, query: UserPageQuery, reader: PacedReader<User>): Promise<ReadUserPage>;
  /** Reads these users in the order of their identifiers, for a reader that takes them in portions. Unknown ones are left out. */
  readMany(
    orgId: string,
    ids: readonly string[],
    reader: PacedReader<User>,
  ): Promise<PageEnd<{ _id: string }>>;
  /** Returns the number of users that match the filter. Without a filter, it reads the stored total. */
  count(orgId: string, filter?: ResourceQuery): Promise<number>;
}

/** @param totals gets every change of the number of users, in its transaction */
export function createUsersStore(mongo: Mongo, totals: UserTotalsStore): UsersStore {
  const users = mongo.collection<UserDocument>('users');

  const findById = createUserLookUp(users, {
    field: '_id',
    read: ({ _id }) => _id,
    projection: withoutSecrets,
  });
  const readPage = createUserPages(users);
  const searchOnce = createSingleFlight<string, string | undefined>();
  const portionsOf = (orgId: string, ids: readonly string[], pace: ReadPace) =>
    readPortions(
      (raw) =>
        users
          .find({ _id: { $in: [...ids] }, orgId }, { projection: withoutSecrets, ...raw })
          .sort({ _id: 1 })
          .batchSize(Math.min(ids.length + 1, pace.batchSize(ids.length + 1))),
      pace,
    );
  return {
    async find(orgId, id) {
      const document = await findById({ orgId, value: id });
      return document === undefined ? undefined : toUser(document);
    },

    async organizationOf(id) {
      return (await users.findOne({ _id: id }, { projection: { orgId: 1 } }))?.orgId;
    },

    async organizationsOf(ids) {
      if (ids.length === 0) return new Map();
      const filter = { _id: { $in: [...ids] } };
      const found = await users.find(filter, { projection: { orgId: 1 } }).toArray();
      return new Map(found.map(({ _id, orgId }) => [_id, orgId]));
    },

    async findMany(orgId, ids) {
      if (ids.length === 0) return [];
      const found: User[] = [];
      for await (const portion of portionsOf(orgId, ids, pacedBy(orgId))) found.push(...portion.map(toUser));
      return found;
    },

    async readMany(orgId, ids, reader) {
      if (ids.length === 0) return { taken: 0 };
      return takePage(portionsOf(orgId, ids, reader.pace), reader, { limit: ids.length, present: toUser });
    },

    async existing(orgId, ids, transaction) {
      if (ids.length === 0) return new Set();
      const read = (options: { readonly hint?: string; readonly session?: Transaction }) =>
        users
          .find({ orgId, _id: { $in: [...ids] } }, { projection: { _id: 1 }, ...options })
          .batchSize(ids.length + 1)
          .toArray();
      // The index alone answers, so no document is read. A failed hint would end a transaction.
      const found = await (transaction ? read({ session: transaction }) : hinted(byId, read));
      return new Set(found.map(({ _id }) => _id));
    },

    async displayNamesOf(orgId, ids) {
      if (ids.length === 0) return new Map();
      const where = { _id: { $in: [...ids] }, orgId };
      const found = await readPaced(
        (raw) => users.find(where, { projection: { displayName: 1 }, ...raw }).batchSize(ids.length + 1),
        pacedBy(orgId, quickNames),
      );
      return new Map(found.map(({ _id, displayName }) => [_id, displayName]));
    },

    sharedExternalId: (orgId) =>
      searchOnce(orgId, async () => {
        const [shared] = await users
          .aggregate<{ _id: string }>(
            [
              { $match: { orgId, externalId: { $exists: true } } },
              { $group: { _id: '$externalId', count: { $sum: 1 } } },
              { $match: { count: { $gt: 1 } } },
              { $limit: 1 },
            ],
            { allowDiskUse: true },
          )
          .toArray();
        return shared?._id;
      }),

    takenKeys: createTakenKeys(users),

    async insert(orgId, added, transaction) {
      const documents = added.map(({ user, password, totp, importedCredentials }) => ({
        ...toDocument(orgId, user, password),
        ...(totp && { totp }),
        ...(importedCredentials && { importedCredentials }),
      }));
      const [first] = documents;
      if (first !== undefined && documents.length === 1)
        await users.insertOne(first, { session: transaction });
      else await users.insertMany(documents, { session: transaction, ordered: true });
      await totals.add(orgId, documents.length, transaction);
    },

    lock: (orgId, id, transaction) => lockDocument(users, { _id: id, orgId }, transaction),

    async replace(orgId, { user, expectedVersion, current, password, ...credentials }, transaction) {
      const { totp, importedCredentials } = credentials;
      const { password: _kept, _id, ...fields } = toDocument(orgId, user);
      const absent = optionalFields.filter((field) => !(field in fields));
      const unset: Record<string, ''> = Object.fromEntries(absent.map((field) => [field, '']));
      if (password === null) unset['password'] = '';
      const result = await users.updateOne(
        {
          _id,
          orgId,
          version: expectedVersion,
          ...(current && {
            'name.formatted': current.name.formatted ?? { $exists: false },
            displayNameGiven: current.displayNameGiven ?? { $exists: false },
            preferredLanguageGiven: current.preferredLanguageGiven ?? { $exists: false },
          }),
        },
        {
          $set: {
            ...fields,
            ...(password && { password }),
            ...(totp && { totp }),
            ...(importedCredentials && { importedCredentials }),
          },
          ...(Object.keys(unset).length > 0 && { $unset: unset }),
        },
        { session: transaction },
      );
      return result.matchedCount === 1;
    },

    async remove(orgId, { id, expectedVersion }, transaction) {
      const filter = { _id: id, orgId, version: expectedVersion };
      const { deletedCount } = await users.deleteOne(filter, { session: transaction });
      if (deletedCount === 1) await totals.add(orgId, -1, transaction);
      return deletedCount === 1;
    },

    readPage,

    async page(orgId, query) {
      const found: User[] = [];
      const take = async (portion: readonly User[]) => found.push(...portion) && portion.length;
      const { taken: _taken, ...page } = await readPage(orgId, query, { pace: pacedBy(orgId), take });
      return { users: found, ...page };
    },

    async count(orgId, filter) {
      if (filter !== undefined)
        return users.countDocuments({ orgId, $and: [userCondition(filter)] } as Filter<UserDocument>);
      // Counting entries of this index reads no document.
      const count = () => hinted(byId, (options) => users.countDocuments({ orgId }, options));
      return (await totals.read(orgId)) ?? (await count());
    },
  };
}
