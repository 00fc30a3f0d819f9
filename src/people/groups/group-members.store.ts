import type { Collection, FindCursor, WithId } from 'mongodb';
import { insertAll } from '#src/platform/mongo/documents.js';
import { hinted } from '#src/platform/mongo/hinted.js';
import type { CollectionIndexes } from '#src/platform/mongo/indexes.js';
import type { Mongo, Transaction } from '#src/platform/mongo/mongo.js';
import { pacedBy, quickNames, readPaced } from '#src/platform/mongo/paced-reads.js';
import { batchLists } from '#src/platform/work/batch-lists.js';
import { type GroupMember, membersOf } from './group.js';

/** Tells which users are members of a group. */
interface MembersOfGroups {
  /** Returns those of these users who are members of the group. */
  among(
    orgId: string,
    groupId: string,
    userIds: readonly string[],
    transaction?: Transaction,
  ): Promise<Set<string>>;
  /** Returns those of these memberships that exist, as {@link membershipKey}. */
  existing(
    orgId: string,
    memberships: readonly GroupMember[],
    transaction?: Transaction,
  ): Promise<Set<string>>;
  /** Returns members of the group in the order of their identifiers, after the given one. */
  page(
    orgId: string,
    groupId: string,
    query: { after?: string | undefined; skip?: number; limit: number },
    transaction?: Transaction,
  ): Promise<string[]>;
  /** Returns at most `limit` members of these groups, by group. A group with no member is left out. */
  ofGroups(orgId: string, groupIds: readonly string[], limit: number): Promise<Map<string, string[]>>;
  /** Returns at most `limit` groups that have members. It reads every membership of the organization. */
  groupsWithMembers(orgId: string, limit: number): Promise<string[]>;
  count(orgId: string, groupId: string): Promise<number>;
  /** The number of members of these groups together. It stops counting at `limit`. */
  countUpTo(orgId: string, groupIds: readonly string[], limit: number): Promise<number>;
}

/** Tells in which groups a user is. */
interface GroupsOfUsers {
  /** Returns at most `limit` groups of the user. Simultaneous calls share one query. */
  groupsOf(orgId: string, userId: string, limit: number): Promise<string[]>;
  /** Returns at most `limit` users who are in a group. It reads every membership of the organization. */
  usersInGroups(orgId: string, limit: number): Promise<string[]>;
  /** Returns groups of the user in the order of their identifiers, after the given one. */
  groupsPage(
    orgId: string,
    userId: string,
    query: { after?: string | undefined; limit: number },
  ): Promise<string[]>;
  /** Returns in which of these groups users are whose identifiers lie between two. A user in none is left out. */
  groupsBetween(
    orgId: string,
    of: { groupIds: readonly string[]; first: string; last: string },
  ): Promise<Map<string, Set<string>>>;
  /** Returns the groups of these users, at most `limit` in all, by user. A user in no group is left out. */
  groupsOfMany(orgId: string, userIds: readonly string[], limit: number): Promise<Map<string, string[]>>;
}

/** Adds and removes memberships. */
interface MembershipWrites {
  /** @throws the duplicate-key error of MongoDB if one of the users is a member */
  insert(orgId: string, memberships: readonly GroupMember[], transaction: Transaction): Promise<void>;
  /** Returns the number of memberships that were there. */
  remove(orgId: string, memberships: readonly GroupMember[], transaction: Transaction): Promise<number>;
  /**
   * Removes these users from every group. Returns the groups of each. A user in none is left out.
   * @throws TooManyMemberships if there are more than `most` of all users together. Then nothing is removed
   */
  removeUsers(
    orgId: string,
    userIds: readonly string[],
    transaction?: Transaction,
    bounds?: { readonly most?: number },
  ): Promise<Map<string, string[]>>;
}

/** A transaction would remove more memberships than its caller allows. */
class TooManyMemberships extends Error {}

/** Stores which user is a member of which group. Each membership is a document, which is found from both sides. */
export interface GroupMembersStore extends MembersOfGroups, GroupsOfUsers, MembershipWrites {}

interface MembershipDocument extends GroupMember {
  /** {@link membershipKey} */
  _id: string;
  orgId: string;
  schemaVersion: 1;
}

/** The unique index that also serves the pages of a group. */
const byMember = 'member';
/** The index of the other side, as MongoDB names it. */
const byUser = 'orgId_1_userId_1_groupId_1';

export const groupMemberIndexes: CollectionIndexes = {
  collection: 'groupMembers',
  indexes: [
    { key: { orgId: 1, groupId: 1, userId: 1 }, unique: true, name: byMember },
    { key: { orgId: 1, userId: 1, groupId: 1 } },
  ],
};

export function createGroupMembersStore(mongo: Mongo): GroupMembersStore {
  const members = mongo.collection<MembershipDocument>('groupMembers');
  return { ...membersOfGroups(members), ...groupsOfUsers(members), ...membershipWrites(members) };
}

function membersOfGroups(members: Collection<MembershipDocument>): MembersOfGroups {
  return {
    async among(orgId, groupId, userIds, transaction) {
      if (userIds.length === 0) return new Set();
      const found = await members
        .find(
          { _id: { $in: membersOf(groupId, userIds).map(membershipKey) }, orgId },
          { projection: { userId: 1 }, ...(transaction && { session: transaction }) },
        )
        .batchSize(userIds.length + 1)
        .toArray();
      return new Set(found.map(({ userId }) => userId));
    },
    async existing(orgId, memberships, session) {
      if (memberships.length === 0) return new Set();
      const keys = memberships.map(membershipKey);
      const found = await members
        .find({ _id: { $in: keys }, orgId }, { projection: { _id: 1 }, ...(session && { session }) })
        .batchSize(keys.length + 1)
        .toArray();
      return new Set(found.map(({ _id }) => _id));
    },
    async page(orgId, groupId, { after, skip = 0, limit }, session) {
      const found = await hinted(byMember, (options) => {
        const where = { orgId, groupId, ...(after !== undefined && { userId: { $gt: after } }) };
        return readFirst(orgId, limit, (raw) =>
          members
            .find(where, {
              projection: { _id: 0, userId: 1 },
              ...options,
              ...raw,
              ...(session && { session }),
            })
            .sort({ userId: 1 })
            .skip(skip),
        );
      });
      return found.map(({ userId }) => userId);
    },
    async ofGroups(orgId, groupIds, limit) {
      const projection = { _id: 0, groupId: 1, userId: 1 } as const;
      const found = await readFirst(orgId, limit, (raw) =>
        members.find({ orgId, groupId: { $in: [...groupIds] } }, { projection, ...raw }),
      );
      return grouped(found.map(({ groupId, userId }) => [groupId, userId]));
    },
    groupsWithMembers: (orgId, limit) =>
      distinct(members, { orgId, field: 'groupId', index: byMember, limit }),
    count: (orgId, groupId) => members.countDocuments({ orgId, groupId }),
    countUpTo: (orgId, groupIds, limit) =>
      members.countDocuments({ orgId, groupId: { $in: [...groupIds] } }, { limit }),
  };
}

function groupsOfUsers(members: Collection<MembershipDocument>): GroupsOfUsers {
  const lookUp = createGroupsLookUp(members);
  return {
    async groupsOf(orgId, userId, limit) {
      const found = await lookUp({ orgId, userId, limit });
      return found.slice(0, limit).map(({ groupId }) => groupId);
    },
    usersInGroups: (orgId, limit) => distinct(members, { orgId, field: 'userId', index: byUser, limit }),
    async groupsPage(orgId, userId, { after, limit }) {
      const found = await hinted(byUser, (options) => {
        const where = { orgId, userId, ...(after !== undefined && { groupId: { $gt: after } }) };
        return readFirst(orgId, limit, (raw) =>
          members
            .find(where, { projection: { _id: 0, groupId: 1 }, ...options, ...raw })
            .sort({ groupId: 1 }),
        );
      });
      return found.map(({ groupId }) => groupId);
    },
    async groupsOfMany(orgId, userIds, limit) {
      const projection = { _id: 0, groupId: 1, userId: 1 } as const;
      const found = await readFirst(orgId, limit, (raw) =>
        members.find({ orgId, userId: { $in: [...userIds] } }, { projection, ...raw }),
      );
      return grouped(found.map(({ groupId, userId }) => [userId, groupId]));
    },
    async groupsBetween(orgId, { groupIds, first, last }) {
      if (groupIds.length === 0) return new Map();
      const where = { orgId, groupId: { $in: [...groupIds] }, userId: { $gte: first, $lte: last } };
      const projection = { _id: 0, groupId: 1, userId: 1 } as const;
      const found = await hinted(byMember, (options) =>
        members.find(where, { projection, ...options }).toArray(),
      );
      const groups = grouped(found.map(({ groupId, userId }) => [userId, groupId]));
      return new Map([...groups].map(([userId, ids]) => [userId, new Set(ids)]));
    },
  };
}

interface GroupsAsked {
  readonly orgId: string;
  readonly userId: string;
  readonly limit: number;
}

/** Returns a function that reads the groups of a user. Simultaneous calls of an organization share one query. */
function createGroupsLookUp(
  members: Collection<MembershipDocument>,
): (asked: GroupsAsked) => Promise<Pick<MembershipDocument, 'userId' | 'groupId'>[]> {
  const projection = { _id: 0, groupId: 1, userId: 1 } as const;
  return batchLists({
    readMany: (asked: readonly GroupsAsked[], limit) => {
      const orgId = asked[0]?.orgId ?? '';
      const userIds = asked.map(({ userId }) => userId);
      return readFirst(orgId, limit, (raw) =>
        members.find({ orgId, userId: { $in: userIds } }, { projection, ...raw }),
      );
    },
    readOne: ({ orgId, userId, limit }) =>
      readFirst(orgId, limit, (raw) => members.find({ orgId, userId }, { projection, ...raw })),
    keyOf: ({ userId }) => userId,
    nameOf: ({ userId }) => userId,
    laneOf: ({ orgId }) => orgId,
  });
}

function membershipWrites(members: Collection<MembershipDocument>): MembershipWrites {
  return {
    async insert(orgId, memberships, transaction) {
      const documents = memberships.map(
        ({ groupId, userId }): MembershipDocument => ({
          _id: membershipKey({ groupId, userId }),
          orgId,
          groupId,
          userId,
          schemaVersion: 1,
        }),
      );
      await insertAll(members, documents, transaction);
    },
    async remove(orgId, memberships, transaction) {
      if (memberships.length === 0) return 0;
      const filter = { _id: { $in: memberships.map(membershipKey) }, orgId };
      return (await members.deleteMany(filter, { session: transaction })).deletedCount;
    },
    async removeUsers(orgId, userIds, transaction, { most } = {}) {
      if (userIds.length === 0) return new Map();
      const options = transaction ? { session: transaction } : {};
      const filter = { orgId, userId: { $in: [...userIds] } };
      const projection = { _id: 0, groupId: 1, userId: 1 } as const;
      const limit = most !== undefined && { limit: most + 1 };
      const found = await members.find(filter, { projection, ...limit, ...options }).toArray();
      if (most !== undefined && found.length > most) throw new TooManyMemberships();
      if (found.length > 0) await members.deleteMany(filter, options);
      return grouped(found.map(({ groupId, userId }) => [userId, groupId]));
    },
  };
}

/** Returns at most `limit` values of a field. The index alone has them. */
async function distinct(
  members: Collection<MembershipDocument>,
  of: { orgId: string; field: 'groupId' | 'userId'; index: string; limit: number },
): Promise<string[]> {
  const { orgId, field, index, limit } = of;
  const steps = [{ $match: { orgId } }, { $group: { _id: `$${field}` } }, { $limit: limit }];
  const found = await hinted(index, (options) =>
    members.aggregate<{ _id: string }>(steps, { batchSize: limit + 1, ...options }).toArray(),
  );
  return found.map(({ _id }) => _id);
}

/** Returns at most `limit` memberships of a find. */
function readFirst(
  orgId: string,
  limit: number,
  find: (raw: { readonly raw: true }) => FindCursor<WithId<MembershipDocument>>,
): Promise<WithId<MembershipDocument>[]> {
  return readPaced(
    (raw) =>
      find(raw)
        .limit(limit)
        .batchSize(limit + 1),
    pacedBy(orgId, quickNames),
  );
}

/** `{groupId} {userId}`. Neither contains a space. */
export function membershipKey({ groupId, userId }: GroupMember): string {
  return `${groupId} ${userId}`;
}

function grouped(pairs: readonly (readonly [string, string])[]): Map<string, string[]> {
  const lists = new Map<string, string[]>();
  for (const [key, value] of pairs) {
    const list = lists.get(key);
    if (list === undefined) lists.set(key, [value]);
    else list.push(value);
  }
  return lists;
}
