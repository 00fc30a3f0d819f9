import type { CollectionIndexes, Mongo, Transaction } from '#src/platform/mongo/mongo.js';
import { type Features, featuresAtStart } from './features.js';

/** The switches of the instance with the number of times that they were changed. */
export interface VersionedFeatures extends Features {
  readonly version: number;
}

export interface FeaturesStore {
  get(): Promise<VersionedFeatures>;
  /** Writes them where the version is still `expectedVersion`; whether it was. */
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
        // A second first writer fails by the identifier; the caller computes again.
        await settings.insertOne({ _id: 'features', ...next }, session);
        return true;
      }
      const filter = { _id: 'features' as const, version: expectedVersion };
      return (await settings.replaceOne(filter, next, session)).matchedCount === 1;
    },
  };
}
