import { insertAll, portionsById } from '#src/platform/mongo/documents.js';
import { byId, hinted } from '#src/platform/mongo/hinted.js';
import type { CollectionIndexes } from '#src/platform/mongo/indexes.js';
import type { Mongo, Transaction } from '#src/platform/mongo/mongo.js';
import type { UserMetadata } from './user-metadata.js';

interface MetadataName {
  readonly userId: string;
  readonly key: string;
}

/** Stores the metadata that programs keep with the users of one organization. */
export interface UserMetadataStore {
  find(orgId: string, name: MetadataName): Promise<UserMetadata | undefined>;
  /** Returns the named metadata that exist, in no order. */
  findMany(orgId: string, names: readonly MetadataName[], transaction?: Transaction): Promise<UserMetadata[]>;
  /** Returns the metadata of one user in the order of the keys, after the given one. They are parsed while the portions are taken. */
  portions(
    orgId: string,
    query: { userId: string; after?: string; limit: number },
  ): AsyncIterable<UserMetadata[]>;
  /** Returns the metadata of all users in the order of `{userId} {key}`, after the given one. */
  pageOfAll(orgId: string, query: { after?: string; limit: number }): Promise<UserMetadata[]>;
  /** Returns the number of them in the organization. */
  count(orgId: string): Promise<number>;
  /** @throws the duplicate-key error of MongoDB if a key is taken */
  insert(orgId: string, added: readonly UserMetadata[], transaction: Transaction): Promise<void>;
  /** Writes the metadata if its version is `expectedVersion`. Returns whether it wrote the metadata. */
  replace(
    orgId: string,
    change: { metadata: UserMetadata; expectedVersion: number },
    transaction: Transaction,
  ): Promise<boolean>;
  /** Removes the metadata if its version is the expected one. @returns whether it removed the metadata */
  remove(
    orgId: string,
    target: MetadataName & { expectedVersion: number },
    transaction: Transaction,
  ): Promise<boolean>;
  /** Removes all metadata of these users. */
  removeAll(orgId: string, userIds: readonly string[], transaction: Transaction): Promise<void>;
}

type MetadataDocument = UserMetadata & { _id: string; schemaVersion: 1 };

export const userMetadataIndexes: CollectionIndexes = {
  collection: 'userMetadata',
  indexes: [{ key: { orgId: 1, _id: 1 } }, { key: { orgId: 1, userId: 1, _id: 1 } }],
};

export function createUserMetadataStore(mongo: Mongo): UserMetadataStore {
  const metadata = mongo.collection<MetadataDocument>('userMetadata');
  return {
    async find(orgId, name) {
      const document = await metadata.findOne({ _id: keyOf(name), orgId });
      return document === null ? undefined : toMetadata(document);
    },
    async findMany(orgId, names, transaction) {
      const filter = { _id: { $in: names.map(keyOf) }, orgId };
      const options = transaction && { session: transaction };
      return (await metadata.find(filter, options).toArray()).map(toMetadata);
    },
    async *portions(orgId, { userId, after, limit }) {
      const page = { after: after && keyOf({ userId, key: after }), limit };
      for await (const documents of portionsById(metadata, { orgId, userId }, page))
        yield documents.map(toMetadata);
    },
    async pageOfAll(orgId, { after, limit }) {
      const documents = await hinted(byId, (options) =>
        metadata
          .find({ orgId, ...(after !== undefined && { _id: { $gt: after } }) }, options)
          .sort({ _id: 1 })
          .limit(limit)
          .toArray(),
      );
      return documents.map(toMetadata);
    },
    count: (orgId) => hinted(byId, (options) => metadata.countDocuments({ orgId }, options)),
    async insert(orgId, added, transaction) {
      const documents = added.map((one) => toDocument(orgId, one));
      await insertAll(metadata, documents, transaction);
    },
    async replace(orgId, { metadata: changed, expectedVersion }, transaction) {
      const { _id, ...document } = toDocument(orgId, changed);
      const filter = { _id, orgId, version: expectedVersion };
      return (await metadata.replaceOne(filter, document, { session: transaction })).matchedCount === 1;
    },
    async remove(orgId, { expectedVersion, ...name }, transaction) {
      const filter = { _id: keyOf(name), orgId, version: expectedVersion };
      return (await metadata.deleteOne(filter, { session: transaction })).deletedCount === 1;
    },
    async removeAll(orgId, userIds, transaction) {
      await metadata.deleteMany({ orgId, userId: { $in: [...userIds] } }, { session: transaction });
    },
  };
}

/** Neither part contains a space. */
function keyOf({ userId, key }: MetadataName): string {
  return `${userId} ${key}`;
}

function toDocument(orgId: string, one: UserMetadata): MetadataDocument {
  return { ...one, _id: keyOf(one), orgId, schemaVersion: 1 };
}

function toMetadata({ _id, schemaVersion: _, ...one }: MetadataDocument): UserMetadata {
  return one;
}
