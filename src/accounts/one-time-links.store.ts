import type { CollectionIndexes } from '#src/platform/mongo/indexes.js';
import type { Mongo, Transaction } from '#src/platform/mongo/mongo.js';

/** The right to set the password of a user once. The holder of the secret with this hash has the right. */
export interface OneTimeLink {
  readonly hash: string;
  readonly userId: string;
  readonly orgId: string;
  readonly created: Date;
  readonly expires: Date;
  /** The address that received the link. A person who has the link can read the mail of this address. */
  readonly mailedTo?: string;
  /** Whether somebody else than the user made it. Absent: the user asked for it, or a version made it that did not tell. */
  readonly byAdministrator?: true;
}

/** Stores one-time links. Each user has at most one valid link. */
export interface OneTimeLinksStore {
  /** Adds a link and removes all other links of the user. */
  put(link: OneTimeLink, transaction: Transaction): Promise<void>;
  /** Returns those of these users who have a valid link. */
  holders(orgId: string, userIds: readonly string[], now: Date): Promise<Set<string>>;
  /** Returns the valid links of these users of any organization. */
  linksAmong(
    userIds: readonly string[],
    now: Date,
    transaction?: Transaction,
  ): Promise<Pick<OneTimeLink, 'userId' | 'expires' | 'byAdministrator'>[]>;
  find(hash: string): Promise<OneTimeLink | undefined>;
  /** Uses the link. Returns false if it was used before. */
  take(hash: string, transaction: Transaction): Promise<boolean>;
  /** Removes every link of the user. */
  removeAllOf(userId: string, transaction: Transaction): Promise<void>;
}

type LinkDocument = Omit<OneTimeLink, 'hash'> & { _id: string; schemaVersion: 1 };

export const oneTimeLinkIndexes: CollectionIndexes = {
  collection: 'one_time_links',
  indexes: [{ key: { userId: 1 } }, { key: { orgId: 1 } }, { key: { expires: 1 }, expireAfterSeconds: 0 }],
};

export function createOneTimeLinksStore(mongo: Mongo): OneTimeLinksStore {
  const links = mongo.collection<LinkDocument>('one_time_links');
  return {
    async put({ hash, ...link }, transaction) {
      await links.deleteMany({ userId: link.userId }, { session: transaction });
      await links.insertOne({ _id: hash, ...link, schemaVersion: 1 }, { session: transaction });
    },
    async holders(orgId, userIds, now) {
      if (userIds.length === 0) return new Set();
      const filter = { userId: { $in: [...userIds] }, orgId, expires: { $gt: now } };
      const found = await links.find(filter, { projection: { userId: 1 } }).toArray();
      return new Set(found.map(({ userId }) => userId));
    },
    async linksAmong(userIds, now, session) {
      if (userIds.length === 0) return [];
      const filter = { userId: { $in: [...userIds] }, expires: { $gt: now } };
      const projection = { _id: 0, userId: 1, expires: 1, byAdministrator: 1 };
      return links.find(filter, { projection, ...(session && { session }) }).toArray();
    },
    async find(hash) {
      const document = await links.findOne({ _id: hash });
      if (document === null) return undefined;
      const { _id, schemaVersion: _, ...link } = document;
      return { hash: _id, ...link };
    },
    async take(hash, transaction) {
      return (await links.deleteOne({ _id: hash }, { session: transaction })).deletedCount === 1;
    },
    async removeAllOf(userId, transaction) {
      await links.deleteMany({ userId }, { session: transaction });
    },
  };
}
