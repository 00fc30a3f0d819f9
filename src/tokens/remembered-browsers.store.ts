import type { CollectionIndexes } from '#src/platform/mongo/indexes.js';
import type { Mongo, Transaction } from '#src/platform/mongo/mongo.js';

/** A browser at which a person asked not to be asked for a second factor. */
export interface RememberedBrowser {
  readonly id: string;
  readonly orgId: string;
  readonly userId: string;
  /** The hash of the secret in the cookie, together with the person. */
  readonly hash: string;
  /** The kind of the second factor that the person proved there. */
  readonly by: string;
  /** When the person proved it. */
  readonly proved: Date;
  /** The latest sign-in that the browser was good for. */
  readonly used: Date;
  /** The stamp of what the trust stands on at that time: the person's credentials, and the address of a mailed code. */
  readonly credentialsStamp: string;
  /** The browser and its operating system, as far as it says. */
  readonly device?: { readonly browser?: string; readonly system?: string };
  /** When it is forgotten at the latest. */
  readonly expires: Date;
}

/** Browsers that are remembered, in MongoDB, since Redis may lose its data or come back with an old copy. */
export interface RememberedBrowsersStore {
  /**
   * Adds a browser, instead of those with the other hashes. A person has at most 20. Beyond that, those that were remembered
   * first are removed.
   */
  insert(browser: RememberedBrowser, instead: readonly string[]): Promise<void>;
  /** The browser of a person with one of these hashes. */
  findByHash(
    orgId: string,
    userId: string,
    hashes: readonly string[],
  ): Promise<RememberedBrowser | undefined>;
  /** The browsers of a person, the latest first. */
  ofUser(orgId: string, userId: string): Promise<RememberedBrowser[]>;
  /** Notes that a browser was good for a sign-in. */
  use(orgId: string, id: string, time: Date): Promise<void>;
  /** Removes one browser of a person. Returns whether there was one. */
  remove(orgId: string, userId: string, id: string): Promise<boolean>;
  /** Removes all browsers of these users. */
  removeAllOf(userIds: readonly string[], transaction?: Transaction): Promise<void>;
}

/** The browsers that a person may have. */
const mostBrowsers = 20;

type BrowserDocument = Omit<RememberedBrowser, 'id'> & { _id: string; schemaVersion: 1 };

export const rememberedBrowserIndexes: CollectionIndexes = {
  collection: 'rememberedBrowsers',
  indexes: [
    { key: { userId: 1, proved: -1 } },
    { key: { orgId: 1 } },
    { key: { expires: 1 }, expireAfterSeconds: 0 },
  ],
};

export function createRememberedBrowsersStore(mongo: Mongo): RememberedBrowsersStore {
  const browsers = mongo.collection<BrowserDocument>('rememberedBrowsers');

  async function read(filter: object): Promise<RememberedBrowser[]> {
    const found = await browsers
      .find(filter)
      .sort({ proved: -1, _id: 1 })
      // Two inserts at once may leave more for a moment.
      .limit(2 * mostBrowsers)
      .toArray();
    return found.map(({ _id, schemaVersion: _, ...browser }) => ({ id: _id, ...browser }));
  }

  return {
    async insert({ id, ...browser }, instead) {
      const { orgId, userId } = browser;
      await browsers.insertOne({ _id: id, ...browser, schemaVersion: 1 });
      const all = await read({ orgId, userId });
      const surplus = all.filter(
        (one, index) => one.id !== id && (index >= mostBrowsers || instead.includes(one.hash)),
      );
      if (surplus.length > 0)
        await browsers.deleteMany({ orgId, _id: { $in: surplus.map((one) => one.id) } });
    },
    async findByHash(orgId, userId, hashes) {
      const [found] = await read({ orgId, userId, hash: { $in: [...hashes] } });
      return found;
    },
    ofUser: async (orgId, userId) => (await read({ orgId, userId })).slice(0, mostBrowsers),
    async use(orgId, id, used) {
      await browsers.updateOne({ _id: id, orgId }, { $set: { used } });
    },
    async remove(orgId, userId, id) {
      return (await browsers.deleteOne({ _id: id, orgId, userId })).deletedCount === 1;
    },
    async removeAllOf(userIds, transaction) {
      const options = transaction === undefined ? {} : { session: transaction };
      await browsers.deleteMany({ userId: { $in: [...userIds] } }, options);
    },
  };
}
