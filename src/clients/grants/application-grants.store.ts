import { insertAll, pageById, withPrefix } from '#src/platform/mongo/documents.js';
import type { CollectionIndexes } from '#src/platform/mongo/indexes.js';
import type { Mongo, Transaction } from '#src/platform/mongo/mongo.js';
import { type ApplicationGrant, applicationGrantKey } from './application-grant.js';

/** Stores which applications of others an organization lets in. Methods take the granting organization first. */
export interface ApplicationGrantsStore {
  find(orgId: string, clientId: string): Promise<ApplicationGrant | undefined>;
  /** Finds a grant by its {@link applicationGrantKey}, which names the organization and the application. */
  findByKey(key: string): Promise<ApplicationGrant | undefined>;
  /** Returns grants in the order of the applications, after the given application. */
  page(orgId: string, query: { after?: string; limit: number }): Promise<ApplicationGrant[]>;
  /** Returns the grants of these applications, in no order. */
  findMany(orgId: string, clientIds: readonly string[]): Promise<ApplicationGrant[]>;
  /** @throws the duplicate-key error of MongoDB if one of the grants exists */
  insert(orgId: string, added: readonly ApplicationGrant[], transaction: Transaction): Promise<void>;
  /** Removes a grant. Returns the removed grant. */
  remove(orgId: string, clientId: string, transaction: Transaction): Promise<ApplicationGrant | undefined>;
  /** Removes the grants of an application in all organizations. */
  removeOfApplication(clientId: string, transaction?: Transaction): Promise<void>;
}

type GrantDocument = Omit<ApplicationGrant, 'id'> & { _id: string; grantId: string; schemaVersion: 1 };

export const applicationGrantIndexes: CollectionIndexes = {
  collection: 'applicationGrants',
  indexes: [{ key: { orgId: 1, _id: 1 } }],
};

export function createApplicationGrantsStore(mongo: Mongo): ApplicationGrantsStore {
  const grants = mongo.collection<GrantDocument>('applicationGrants');
  const keyOf = (orgId: string, clientId: string) => applicationGrantKey({ orgId, clientId });
  return {
    async find(orgId, clientId) {
      return toGrant(await grants.findOne({ _id: keyOf(orgId, clientId), orgId }));
    },
    async findByKey(key) {
      return toGrant(await grants.findOne({ _id: key }));
    },
    async page(orgId, { after, limit }) {
      const last = after === undefined ? {} : { after: keyOf(orgId, after) };
      const documents = await pageById(grants, { orgId }, { ...last, limit });
      return documents.map((document) => toGrant(document) as ApplicationGrant);
    },
    async findMany(orgId, clientIds) {
      const ids = clientIds.map((clientId) => keyOf(orgId, clientId));
      const documents = await grants.find({ _id: { $in: ids }, orgId }).toArray();
      return documents.map((document) => toGrant(document) as ApplicationGrant);
    },
    async insert(orgId, added, transaction) {
      const documents = added.map(
        ({ id, ...grant }): GrantDocument => ({
          _id: keyOf(orgId, grant.clientId),
          ...grant,
          orgId,
          grantId: id,
          schemaVersion: 1,
        }),
      );
      await insertAll(grants, documents, transaction);
    },
    async remove(orgId, clientId, transaction) {
      const filter = { _id: keyOf(orgId, clientId), orgId };
      return toGrant(await grants.findOneAndDelete(filter, { session: transaction }));
    },
    async removeOfApplication(clientId, transaction) {
      const options = transaction ? { session: transaction } : {};
      await grants.deleteMany({ _id: withPrefix(keyOf('', clientId)) }, options);
    },
  };
}

function toGrant(document: GrantDocument | null): ApplicationGrant | undefined {
  if (document === null) return undefined;
  const { _id, schemaVersion: _version, grantId, ...grant } = document;
  return { id: grantId, ...grant };
}
