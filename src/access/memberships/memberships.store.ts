import type { Collection } from 'mongodb';
import type { Membership } from '#src/directory/index.js';
import { insertAll, pageById } from '#src/platform/mongo/documents.js';
import type { CollectionIndexes } from '#src/platform/mongo/indexes.js';
import type { Mongo, Transaction } from '#src/platform/mongo/mongo.js';
import type { Upgrade } from '#src/platform/mongo/upgrade-documents.js';
import { batchLists } from '#src/platform/work/batch-lists.js';

/** Stores the roles of users. */
export interface MembershipsStore {
  /** Returns all roles of one user, in all organizations. Authorization uses it. Simultaneous calls share one query, unless they are in a transaction. */
  ofUser(userId: string, transaction?: Transaction): Promise<Membership[]>;
  /**
   * Returns the users that have a role of the instance, as the transaction sees them. The call writes to their
   * documents. If two transactions do so at the same time, MongoDB aborts one of them, and that one runs again.
   */
  lockInstanceMembers(transaction: Transaction): Promise<string[]>;
  /** Returns the users who own the organization themselves, or without one the instance. */
  ownersOf(orgId: string | undefined, transaction?: Transaction): Promise<string[]>;
  /** Writes to the documents of the owners, as {@link MembershipsStore.lockInstanceMembers} does. */
  lockOwners(orgId: string | undefined, transaction: Transaction): Promise<void>;
  /** Returns the roles of these users in the organization, in no order. */
  ofMembers(orgId: string, userIds: readonly string[]): Promise<Membership[]>;
  /** Returns those of these users who have a role in any organization or in the instance. */
  withRoleAmong(userIds: readonly string[]): Promise<Set<string>>;
  /** Returns those of these users who have a role outside of this organization: see `hasRoleOutside`. */
  withRoleOutside(orgId: string, userIds: readonly string[]): Promise<Set<string>>;
  find(id: string): Promise<Membership | undefined>;
  /** Returns members of an organization. If `orgId` is undefined, returns those of the instance. */
  page(orgId: string | undefined, query: { after?: string; limit: number }): Promise<Membership[]>;
  /** Returns roles that people of this organization have in other organizations. */
  pageOutside(orgId: string, query: { after?: string; limit: number }): Promise<Membership[]>;
  /** The number of roles in an organization, or in the instance. */
  count(orgId: string | undefined): Promise<number>;
  /** Returns members of an organization in the order of their users and roles, after the given one. */
  pageByUser(
    orgId: string,
    query: { after?: Pick<Membership, 'userId' | 'role'>; limit: number },
  ): Promise<Membership[]>;
  /**
   * @param homes the organization of each user
   * @throws the duplicate-key error of MongoDB if a user has the role already
   */
  insert(
    added: readonly Membership[],
    homes: ReadonlyMap<string, string>,
    transaction: Transaction,
  ): Promise<void>;
  remove(id: string, transaction: Transaction): Promise<boolean>;
  /** Removes every role of these users. Returns the removed memberships. */
  removeAll(userIds: readonly string[], transaction: Transaction): Promise<Membership[]>;
}

/** `scope` is the organization, or `*` for the whole instance. */
interface MembershipDocument {
  _id: string;
  userId: string;
  role: Membership['role'];
  scope: string;
  /** The organization of the user, if the role is in another one. Roles of earlier versions get it by `muster upgrade`. */
  home?: string;
  created: Date;
  /** Number of locks that transactions took. */
  locked?: number;
}

export const membershipIndexes: CollectionIndexes = {
  collection: 'memberships',
  indexes: [
    { key: { userId: 1, scope: 1, role: 1 }, unique: true },
    { key: { scope: 1, _id: 1 } },
    { key: { scope: 1, userId: 1, role: 1 } },
    { key: { home: 1, _id: 1 }, partialFilterExpression: { home: { $exists: true } } },
  ],
};

const instance = '*';
/** Roles of which one step of the upgrade asks for the organizations of the users. */
const upgradeBatch = 500;

/** The roles that people have in another organization than their own, with their own. */
async function rolesElsewhere(
  users: Collection<{ _id: string; orgId: string }>,
  roles: readonly Pick<MembershipDocument, '_id' | 'userId' | 'scope'>[],
): Promise<{ readonly _id: string; readonly home: string }[]> {
  const userIds = [...new Set(roles.map(({ userId }) => userId))];
  const people = await users.find({ _id: { $in: userIds } }, { projection: { orgId: 1 } }).toArray();
  const homes = new Map(people.map(({ _id, orgId }) => [_id, orgId]));
  return roles.flatMap(({ _id, userId, scope }) => {
    const home = homes.get(userId);
    return home === undefined || home === scope ? [] : [{ _id, home }];
  });
}

/** Notes the organization of each user who has a role in another one. Earlier versions did not. */
export function membershipHomesUpgrade(mongo: Mongo): Upgrade {
  const memberships = mongo.collection<MembershipDocument>('memberships');
  const users = mongo.collection<{ _id: string; orgId: string }>('users');
  return {
    name: 'memberships-home',
    async next(position) {
      const left = { scope: { $ne: instance }, home: { $exists: false } };
      const found = await pageById(memberships, left, { after: position, limit: upgradeBatch });
      const last = found.at(-1);
      if (last === undefined) return undefined;
      // Most people have roles in their own organization alone, which stay as they are.
      const elsewhere = await rolesElsewhere(users, found);
      if (elsewhere.length > 0)
        await memberships.bulkWrite(
          elsewhere.map(({ _id, home }) => ({ updateOne: { filter: { _id }, update: { $set: { home } } } })),
          { ordered: false },
        );
      return { position: last._id, changed: elsewhere.length > 0 };
    },
  };
}

export function createMembershipsStore(mongo: Mongo): MembershipsStore {
  const memberships = mongo.collection<MembershipDocument>('memberships');
  const read = async (userId: string, options: { readonly session?: Transaction } = {}) =>
    (await memberships.find({ userId }, options).limit(10_000).toArray()).map(toMembership);
  const readOfUser = batchLists<string, Membership>({
    async readMany(userIds, limit) {
      const found = memberships.find({ userId: { $in: [...userIds] } }).limit(limit);
      return (await found.batchSize(limit + 1).toArray()).map(toMembership);
    },
    readOne: read,
    keyOf: ({ userId }) => userId,
    nameOf: (userId) => userId,
  });
  return {
    ofUser: (userId, session) => (session === undefined ? readOfUser(userId) : read(userId, { session })),
    async lockInstanceMembers(transaction) {
      const session = { session: transaction };
      await memberships.updateMany({ scope: instance }, { $inc: { locked: 1 } }, session);
      return (await memberships.find({ scope: instance }, session).toArray()).map(({ userId }) => userId);
    },
    async ownersOf(orgId, session) {
      const options = session === undefined ? {} : { session };
      return (await memberships.find(ownersIn(orgId), options).toArray()).map(({ userId }) => userId);
    },
    async lockOwners(orgId, session) {
      await memberships.updateMany(ownersIn(orgId), { $inc: { locked: 1 } }, { session });
    },
    async ofMembers(orgId, userIds) {
      if (userIds.length === 0) return [];
      const filter = { userId: { $in: [...userIds] }, scope: orgId };
      return (await memberships.find(filter).toArray()).map(toMembership);
    },
    async withRoleAmong(userIds) {
      if (userIds.length === 0) return new Set();
      const filter = { userId: { $in: [...userIds] } };
      return new Set(await memberships.distinct('userId', filter));
    },
    async withRoleOutside(orgId, userIds) {
      if (userIds.length === 0) return new Set();
      const filter = { userId: { $in: [...userIds] }, scope: { $ne: orgId } };
      return new Set(await memberships.distinct('userId', filter));
    },
    async find(id) {
      const document = await memberships.findOne({ _id: id });
      return document === null ? undefined : toMembership(document);
    },
    async page(orgId, { after, limit }) {
      const documents = await pageById(memberships, { scope: orgId ?? instance }, { after, limit });
      return documents.map(toMembership);
    },
    async pageOutside(orgId, { after, limit }) {
      return (await pageById(memberships, { home: orgId }, { after, limit })).map(toMembership);
    },
    count: (orgId) => memberships.countDocuments({ scope: orgId ?? instance }),
    async pageByUser(orgId, { after, limit }) {
      const later = after && {
        userId: { $gte: after.userId },
        $or: [{ userId: { $gt: after.userId } }, { role: { $gt: after.role } }],
      };
      const documents = await memberships
        .find({ scope: orgId, ...later })
        .sort({ userId: 1, role: 1 })
        .limit(limit)
        .toArray();
      return documents.map(toMembership);
    },
    async insert(added, homes, transaction) {
      const documents = added.map((one) => toDocument(one, homes.get(one.userId)));
      await insertAll(memberships, documents, transaction);
    },
    async remove(id, transaction) {
      return (await memberships.deleteOne({ _id: id }, { session: transaction })).deletedCount === 1;
    },
    async removeAll(userIds, transaction) {
      const filter = { userId: { $in: [...userIds] } };
      const documents = await memberships.find(filter, { session: transaction }).toArray();
      if (documents.length > 0) await memberships.deleteMany(filter, { session: transaction });
      return documents.map(toMembership);
    },
  };
}

function ownersIn(orgId: string | undefined) {
  const role: Membership['role'] = orgId === undefined ? 'IAM_OWNER' : 'ORG_OWNER';
  return { scope: orgId ?? instance, role };
}

function toDocument({ id, orgId, ...fields }: Membership, home: string | undefined): MembershipDocument {
  const isElsewhere = orgId !== undefined && home !== undefined && home !== orgId;
  return { _id: id, ...fields, scope: orgId ?? instance, ...(isElsewhere && { home }) };
}

function toMembership({
  _id,
  scope,
  home: _home,
  locked: _locked,
  ...fields
}: MembershipDocument): Membership {
  return { id: _id, ...fields, ...(scope !== instance && { orgId: scope }) };
}
