import type { CollectionIndexes } from '#src/platform/mongo/indexes.js';
import type { Mongo, Transaction } from '#src/platform/mongo/mongo.js';
import type { SetupLink } from './setup-link.js';

/** Stores set-up links until they end. */
export interface SetupLinksStore {
  insert(orgId: string, link: SetupLink, transaction: Transaction): Promise<void>;
  /** Returns the links of the organization that have not ended, the oldest first. */
  ofOrganization(orgId: string, now: Date): Promise<SetupLink[]>;
  find(orgId: string, id: string): Promise<SetupLink | undefined>;
  /** Returns the link whose address has the secret with this hash. Its organization is not known before. */
  findByHash(hash: string): Promise<SetupLink | undefined>;
  /** Returns the link that the browser with this hash has opened. Its organization is not known before. */
  findByBrowser(browserHash: string): Promise<SetupLink | undefined>;
  /** Writes the link if its version is the expected one. Returns whether it did. */
  replace(
    orgId: string,
    change: { link: SetupLink; expectedVersion: number },
    transaction: Transaction,
  ): Promise<boolean>;
  /** Returns whether there was one. */
  remove(orgId: string, id: string, transaction: Transaction): Promise<boolean>;
}

type LinkDocument = Omit<SetupLink, 'id'> & { _id: string; schemaVersion: 1 };

export const setupLinkIndexes: CollectionIndexes = {
  collection: 'setupLinks',
  indexes: [
    { key: { orgId: 1, _id: 1 } },
    { key: { hash: 1 }, unique: true },
    { key: { browserHash: 1 }, unique: true, partialFilterExpression: { browserHash: { $exists: true } } },
    { key: { expires: 1 }, expireAfterSeconds: 0 },
  ],
};

/** A bound for a read, above the number of links that an organization can have. */
const mostRead = 50;

export function createSetupLinksStore(mongo: Mongo): SetupLinksStore {
  const links = mongo.collection<LinkDocument>('setupLinks');
  const one = (found: LinkDocument | null) => (found === null ? undefined : toLink(found));
  return {
    async insert(orgId, link, session) {
      await links.insertOne(toDocument(orgId, link), { session });
    },
    async ofOrganization(orgId, now) {
      const found = await links
        .find({ orgId, expires: { $gt: now } })
        .sort({ _id: 1 })
        .limit(mostRead)
        .toArray();
      return found.map(toLink);
    },
    find: async (orgId, id) => one(await links.findOne({ _id: id, orgId })),
    findByHash: async (hash) => one(await links.findOne({ hash })),
    findByBrowser: async (browserHash) => one(await links.findOne({ browserHash })),
    async replace(orgId, { link, expectedVersion }, session) {
      const { _id, ...document } = toDocument(orgId, link);
      const filter = { _id, orgId, version: expectedVersion };
      return (await links.replaceOne(filter, document, { session })).matchedCount === 1;
    },
    async remove(orgId, id, session) {
      return (await links.deleteOne({ _id: id, orgId }, { session })).deletedCount === 1;
    },
  };
}

function toDocument(orgId: string, { id, ...link }: SetupLink): LinkDocument {
  return { ...link, _id: id, orgId, schemaVersion: 1 };
}

function toLink({ _id, schemaVersion: _schemaVersion, ...link }: LinkDocument): SetupLink {
  return { id: _id, ...link };
}
