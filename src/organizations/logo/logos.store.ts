import { Binary } from 'mongodb';
import type { CollectionIndexes } from '#src/platform/mongo/indexes.js';
import type { Mongo, Transaction } from '#src/platform/mongo/mongo.js';

/** Stores the logos of organizations. An organization has one at most. */
export interface LogosStore {
  /** Undefined unless the logo of the organization has this digest. */
  find(orgId: string, digest: string): Promise<Buffer | undefined>;
  /** 0 or 1. */
  count(orgId: string): Promise<number>;
  put(orgId: string, logo: { digest: string; bytes: Buffer }, transaction: Transaction): Promise<void>;
  remove(orgId: string, transaction: Transaction): Promise<void>;
}

interface LogoDocument {
  /** The identifier of the organization. */
  _id: string;
  orgId: string;
  digest: string;
  bytes: Binary;
}

export const logoIndexes: CollectionIndexes = { collection: 'logos', indexes: [{ key: { orgId: 1 } }] };

export function createLogosStore(mongo: Mongo): LogosStore {
  const logos = mongo.collection<LogoDocument>('logos');
  return {
    async find(orgId, digest) {
      const found = await logos.findOne({ _id: orgId, orgId, digest });
      return found === null ? undefined : Buffer.from(found.bytes.buffer);
    },
    count: (orgId) => logos.countDocuments({ _id: orgId, orgId }),
    async put(orgId, { digest, bytes }, session) {
      const logo = { orgId, digest, bytes: new Binary(bytes) };
      await logos.replaceOne({ _id: orgId, orgId }, logo, { upsert: true, session });
    },
    async remove(orgId, session) {
      await logos.deleteOne({ _id: orgId, orgId }, { session });
    },
  };
}
