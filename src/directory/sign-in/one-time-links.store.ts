import type { CollectionIndexes, Mongo, Transaction } from '#src/platform/mongo/mongo.js';

/** The right to set a user's password once, held by whoever has the secret of this hash. */
export interface OneTimeLink {
  readonly hash: string;
  readonly userId: string;
  readonly orgId: string;
  readonly created: Date;
  readonly expires: Date;
  /** The address that it was mailed to: who has the link reads its mail. */
  readonly mailedTo?: string;
}

/** One-time links. At most one of a user is valid. */
export interface OneTimeLinksStore {
  /** Adds a link in the place of all that the user had. */
  put(link: OneTimeLink, transaction: Transaction): Promise<void>;
  find(hash: string): Promise<OneTimeLink | undefined>;
  /** Uses a link up; false when it was already. */
  take(hash: string, transaction: Transaction): Promise<boolean>;
  /** Voids every link of the user. */
  removeAllOf(userId: string, transaction: Transaction): Promise<void>;
}

type LinkDocument = Omit<OneTimeLink, 'hash'> & { _id: string; schemaVersion: 1 };

export const oneTimeLinkIndexes: CollectionIndexes = {
  collection: 'one_time_links',
  indexes: [{ key: { userId: 1 } }, { key: { expires: 1 }, expireAfterSeconds: 0 }],
};

export function createOneTimeLinksStore(mongo: Mongo): OneTimeLinksStore {
  const links = mongo.collection<LinkDocument>('one_time_links');
  return {
    async put({ hash, ...link }, transaction) {
      await links.deleteMany({ userId: link.userId }, { session: transaction });
      await links.insertOne({ _id: hash, ...link, schemaVersion: 1 }, { session: transaction });
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
