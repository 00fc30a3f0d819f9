import { upserted } from '#src/platform/mongo/duplicate-key.js';
import type { CollectionIndexes } from '#src/platform/mongo/indexes.js';
import type { Mongo } from '#src/platform/mongo/mongo.js';

/** When a client secret was used. */
export interface SecretUse {
  readonly orgId: string;
  readonly secretId: string;
  readonly lastUsed: Date;
}

/** Stores when client secrets were last used, apart from the clients: a use changes no client and empties no cache. */
export interface SecretUsesStore {
  /** Keeps the latest time of each secret. */
  record(uses: readonly SecretUse[]): Promise<void>;
  /** Returns when these secrets were last used. Unused ones are left out. */
  find(orgId: string, secretIds: readonly string[]): Promise<Map<string, Date>>;
}

interface UseDocument {
  _id: string;
  orgId: string;
  lastUsed: Date;
}

/** Also the time after which the uses of a secret that was removed are gone. */
const keptSeconds = 400 * 24 * 3600;

export const secretUseIndexes: CollectionIndexes = {
  collection: 'secretUses',
  indexes: [{ key: { orgId: 1 } }, { key: { lastUsed: 1 }, expireAfterSeconds: keptSeconds }],
};

export function createSecretUsesStore(mongo: Mongo): SecretUsesStore {
  const collection = mongo.collection<UseDocument>('secretUses');
  return {
    async record(uses) {
      const writes = uses.map(({ orgId, secretId, lastUsed }) => ({
        updateOne: {
          filter: { _id: secretId, orgId },
          update: { $max: { lastUsed } },
          upsert: true,
        },
      }));
      await upserted(() => collection.bulkWrite(writes, { ordered: false }));
    },
    async find(orgId, secretIds) {
      if (secretIds.length === 0) return new Map();
      const found = await collection.find({ _id: { $in: [...secretIds] }, orgId }).toArray();
      return new Map(found.map(({ _id, lastUsed }) => [_id, lastUsed]));
    },
  };
}
