import { withPrefix } from '#src/platform/mongo/documents.js';
import type { CollectionIndexes } from '#src/platform/mongo/indexes.js';
import type { Mongo, Transaction } from '#src/platform/mongo/mongo.js';
import { type Consent, consentKey } from './consent.js';

/** Stores the consents of people. Methods that serve one organization take its identifier first. */
export interface ConsentsStore {
  find(orgId: string, key: string, transaction?: Transaction): Promise<Consent | undefined>;
  /** Finds a consent by its {@link consentKey}, which names the person and the application. */
  findByKey(key: string): Promise<Consent | undefined>;
  /** Returns the consents of a person, the latest first. */
  ofUser(orgId: string, query: { userId: string; limit: number }): Promise<Consent[]>;
  /** Returns the number of consents of the organization's people. */
  count(orgId: string): Promise<number>;
  /** Writes a consent, in place of an earlier one for the same application. */
  put(orgId: string, consent: Consent, transaction: Transaction): Promise<void>;
  /** Removes a consent. Returns whether there was one. */
  remove(orgId: string, key: string, transaction: Transaction): Promise<boolean>;
  removeAll(orgId: string, userIds: readonly string[], transaction: Transaction): Promise<void>;
  /** Removes the consents to an application in all organizations, in steps. */
  removeOfApplication(clientId: string): Promise<void>;
}

type ConsentDocument = Consent & { _id: string; schemaVersion: 1 };

/** How many consents one step of a removal deletes. */
const removedAtOnce = 1_000;

export const consentIndexes: CollectionIndexes = {
  collection: 'consents',
  indexes: [{ key: { orgId: 1, userId: 1, lastModified: -1 } }],
};

export function createConsentsStore(mongo: Mongo): ConsentsStore {
  const consents = mongo.collection<ConsentDocument>('consents');
  return {
    async find(orgId, key, transaction) {
      return toConsent(
        await consents.findOne({ _id: key, orgId }, { ...(transaction && { session: transaction }) }),
      );
    },
    async findByKey(key) {
      return toConsent(await consents.findOne({ _id: key }));
    },
    async ofUser(orgId, { userId, limit }) {
      const found = await consents.find({ orgId, userId }).sort({ lastModified: -1 }).limit(limit).toArray();
      return found.map((document) => toConsent(document) as Consent);
    },
    count: (orgId) => consents.countDocuments({ orgId }),
    async put(orgId, consent, transaction) {
      const _id = consentKey(consent);
      const document = { ...consent, orgId, scopes: [...consent.scopes], schemaVersion: 1 as const };
      await consents.replaceOne({ _id, orgId }, document, { upsert: true, session: transaction });
    },
    async remove(orgId, key, transaction) {
      return (await consents.deleteOne({ _id: key, orgId }, { session: transaction })).deletedCount === 1;
    },
    async removeAll(orgId, userIds, transaction) {
      await consents.deleteMany({ orgId, userId: { $in: [...userIds] } }, { session: transaction });
    },
    async removeOfApplication(clientId) {
      const _id = withPrefix(consentKey({ clientId, userId: '' }));
      for (;;) {
        const found = await consents
          .find({ _id }, { projection: { _id: 1 } })
          .limit(removedAtOnce)
          .toArray();
        if (found.length > 0) await consents.deleteMany({ _id: { $in: found.map((one) => one._id) } });
        if (found.length < removedAtOnce) return;
      }
    },
  };
}

function toConsent(document: ConsentDocument | null): Consent | undefined {
  if (document === null) return undefined;
  const { _id, schemaVersion: _version, ...consent } = document;
  return consent;
}
