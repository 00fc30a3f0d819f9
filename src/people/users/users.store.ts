import type { Collection, Filter } from 'mongodb';
import { clientExternalIdPrefix, typedKey, type User } from '#src/directory/index.js';
import type { UserTotalsStore } from '#src/organizations/index.js';
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
import { batchReads } from '#src/platform/work/batcher.js';
import { createSingleFlight } from '#src/platform/work/single-flight.js';
import { userCondition } from '../queries/condition.js';
import type { ResourceQuery } from '../queries/query.js';
import { createExistingUsers } from './existing-users.store.js';
import { createTakenKeys } from './taken-keys.store.js';
import type { UniqueKey } from './unique-values.js';
import { toUser, type UserDocument, withoutSecrets } from './user-document.js';
import { createUserLookUp } from './user-look-up.store.js';
import { createUserPages, type ReadUserPage, type UserPage, type UserPageQuery } from './user-pages.store.js';
import { createUserWrites, type UserWrites } from './user-writes.store.js';

/** Finds users, and what identifies them. */
interface UserFinds {
  find(orgId: string, id: string): Promise<User | undefined>;
  /** Returns the organization of a user, in any organization. Roles contain only the user. Simultaneous calls share one query. */
  organizationOf(id: string): Promise<string | undefined>;
  /** Returns the organizations of these users, by user. Unknown ones are left out. */
  organizationsOf(ids: readonly string[]): Promise<Map<string, string>>;
  /** Returns those of these users who exist in the organization. Simultaneous calls for few users share one query. */
  existing(orgId: string, ids: readonly string[], transaction?: Transaction): Promise<Set<string>>;
  /** Returns the displayNames of these users, by user. Unknown ones are left out. */
  displayNamesOf(orgId: string, ids: readonly string[]): Promise<Map<string, string>>;
  /** Returns an externalId that several users have, shared or of one client, if there is one. Reads the index of all users. */
  sharedExternalId(orgId: string): Promise<string | undefined>;
  /** Returns those of the keys that users of the organization have, other than the given user. */
  takenKeys(orgId: string, keys: readonly UniqueKey[], exceptId?: string): Promise<Set<UniqueKey>>;
}

/** Reads many users. */
interface UserLists {
  /** Returns these users in the order of their identifiers. Unknown ones are left out. */
  findMany(orgId: string, ids: readonly string[]): Promise<User[]>;
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

/** Stores the users of one organization. Every method that takes an organization reads and writes only its users. */
export interface UsersStore extends UserFinds, UserLists, UserWrites {}

/** @param totals gets every change of the number of users, in its transaction */
export function createUsersStore(mongo: Mongo, totals: UserTotalsStore): UsersStore {
  const users = mongo.collection<UserDocument>('users');
  return { ...userFinds(users), ...userLists(users, totals), ...createUserWrites(users, totals) };
}

function userFinds(users: Collection<UserDocument>): UserFinds {
  const findById = createUserLookUp(users, {
    field: '_id',
    read: ({ _id }) => _id,
    projection: withoutSecrets,
  });
  const organizationsOf: UserFinds['organizationsOf'] = async (ids) => {
    if (ids.length === 0) return new Map();
    const filter = { _id: { $in: [...ids] } };
    const found = await users.find(filter, { projection: { orgId: 1 } }).toArray();
    return new Map(found.map(({ _id, orgId }) => [_id, orgId]));
  };
  const searchOnce = createSingleFlight<string, string | undefined>();
  return {
    async find(orgId, id) {
      const document = await findById({ orgId, value: id });
      return document === undefined ? undefined : toUser(document);
    },

    organizationOf: batchReads(async (ids: readonly string[]) => {
      const organizations = await organizationsOf(ids);
      return (id) => organizations.get(id);
    }),

    organizationsOf,

    existing: createExistingUsers(users),

    async displayNamesOf(orgId, ids) {
      if (ids.length === 0) return new Map();
      const where = { _id: { $in: [...ids] }, orgId };
      const found = await readPaced(
        (raw) => users.find(where, { projection: { displayName: 1 }, ...raw }).batchSize(ids.length + 1),
        pacedBy(orgId, quickNames),
      );
      return new Map(found.map(({ _id, displayName }) => [_id, displayName]));
    },

    sharedExternalId: (orgId) => searchOnce(orgId, () => repeatedExternalId(users, orgId)),

    takenKeys: createTakenKeys(users),
  };
}

/** An externalId that several users have: the one that clients share, or that of one client. */
async function repeatedExternalId(
  users: Collection<UserDocument>,
  orgId: string,
): Promise<string | undefined> {
  const [shared] = await repeated(users, '$externalId', [
    { $match: { orgId, externalId: { $exists: true } } },
  ]);
  if (shared !== undefined) return shared;
  const ofClient = { 'search.attributes': { $regex: `^${clientExternalIdPrefix}` } };
  const [key] = await repeated(users, '$search.attributes', [
    { $match: { orgId, ...ofClient } },
    { $unwind: '$search.attributes' },
    { $match: ofClient },
  ]);
  return key?.slice(key.indexOf(typedKey('', '')) + 1);
}

/** A text that several documents have, if there is one. @param stages what comes before the documents are counted */
async function repeated(
  users: Collection<UserDocument>,
  field: string,
  stages: readonly object[],
): Promise<string[]> {
  const counted = [
    ...stages,
    { $group: { _id: field, count: { $sum: 1 } } },
    { $match: { count: { $gt: 1 } } },
    { $limit: 1 },
  ];
  const found = await users.aggregate<{ _id: string }>(counted, { allowDiskUse: true }).toArray();
  return found.map(({ _id }) => _id);
}

function userLists(users: Collection<UserDocument>, totals: UserTotalsStore): UserLists {
  const readPage = createUserPages(users);
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
    async findMany(orgId, ids) {
      if (ids.length === 0) return [];
      const found: User[] = [];
      for await (const portion of portionsOf(orgId, ids, pacedBy(orgId))) found.push(...portion.map(toUser));
      return found;
    },

    async readMany(orgId, ids, reader) {
      if (ids.length === 0) return { taken: 0 };
      return takePage(portionsOf(orgId, ids, reader.pace), reader, { limit: ids.length, toItem: toUser });
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
