import type { CollectionIndexes } from '#src/platform/mongo/indexes.js';
import type { Mongo, Transaction } from '#src/platform/mongo/mongo.js';
import { type Features, featuresAtStart } from './features.js';

/** The features of the instance. The version counts their changes. */
export interface VersionedFeatures extends Features {
  readonly version: number;
}

export interface FeaturesStore {
  get(): Promise<VersionedFeatures>;
  /** Writes the features if the version is `expectedVersion`. Returns whether it wrote them. */
  replace(features: Features, expectedVersion: number, transaction: Transaction): Promise<boolean>;
}

type FeaturesDocument = Partial<Features> & { _id: 'features'; version: number; schemaVersion: 1 };

export const featureIndexes: CollectionIndexes = { collection: 'instanceSettings', indexes: [] };

export function createFeaturesStore(mongo: Mongo): FeaturesStore {
  const settings = mongo.collection<FeaturesDocument>('instanceSettings');
  return {
    async get() {
      const { _id, schemaVersion, ...stored } = (await settings.findOne({ _id: 'features' })) ?? {
        version: 0,
      };
      return { ...featuresAtStart, ...stored };
    },
    async replace(features, expectedVersion, transaction) {
      const session = { session: transaction };
      const next = { ...features, version: expectedVersion + 1, schemaVersion: 1 as const };
      if (expectedVersion === 0) {
        // If two callers write first at the same time, the second one gets a duplicate key. It then computes its change
        // again.
        await settings.insertOne({ _id: 'features', ...next }, session);
        return true;
      }
      const filter = { _id: 'features' as const, version: expectedVersion };
      return (await settings.replaceOne(filter, next, session)).matchedCount === 1;
    },
  };
}
