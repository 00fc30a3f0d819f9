import type { CollectionIndexes } from '#src/platform/mongo/indexes.js';
import type { Mongo } from '#src/platform/mongo/mongo.js';
import type { SigningAlgorithm } from './signing-key.js';

/** What the processes agree on about an algorithm. */
export interface StoredAlgorithm {
  readonly alg: SigningAlgorithm;
  /** When its keys were published. Absent while they are not. */
  readonly published?: Date;
  /** The keys stay published until then, because a token that they signed may be valid. Absent if nothing was signed. */
  readonly neededUntil?: Date;
  /** When it last became the algorithm that signs by default. */
  readonly usualSince?: Date;
}

export interface SigningAlgorithmsStore {
  all(): Promise<StoredAlgorithm[]>;
  /** Adds an algorithm, unless it is there. */
  add(algorithm: StoredAlgorithm): Promise<void>;
  /** Publishes the keys of an algorithm at this time, unless they are, and keeps them published until the other time at least. */
  publish(alg: SigningAlgorithm, times: { now: Date; neededUntil: Date }): Promise<void>;
  /**
   * Publishes the keys no longer, if nothing needs them at this time.
   * @returns whether they were published
   */
  withhold(alg: SigningAlgorithm, now: Date): Promise<boolean>;
  makeUsual(alg: SigningAlgorithm, now: Date): Promise<void>;
}

type AlgorithmDocument = Omit<StoredAlgorithm, 'alg'> & { _id: SigningAlgorithm; schemaVersion: 1 };

export const signingAlgorithmIndexes: CollectionIndexes = { collection: 'signingAlgorithms', indexes: [] };

export function createSigningAlgorithmsStore(mongo: Mongo): SigningAlgorithmsStore {
  const algorithms = mongo.collection<AlgorithmDocument>('signingAlgorithms');
  return {
    async all() {
      const documents = await algorithms.find().toArray();
      return documents.map(({ _id: alg, schemaVersion: _version, ...fields }) => ({ alg, ...fields }));
    },
    async add({ alg, ...fields }) {
      await algorithms.updateOne(
        { _id: alg },
        { $setOnInsert: { ...fields, schemaVersion: 1 } },
        { upsert: true },
      );
    },
    async publish(alg, { now, neededUntil }) {
      // One step, so that it and a withdrawal at the same time follow each other.
      await algorithms.updateOne({ _id: alg }, [
        {
          $set: {
            // A process whose clock was ahead may have published them in the future.
            published: { $min: [{ $ifNull: ['$published', now] }, now] },
            neededUntil: { $max: ['$neededUntil', neededUntil] },
          },
        },
      ]);
    },
    async withhold(alg, now) {
      const filter = {
        _id: alg,
        published: { $exists: true },
        $or: [{ neededUntil: { $lte: now } }, { neededUntil: { $exists: false } }],
      };
      const { matchedCount } = await algorithms.updateOne(filter, {
        $unset: { published: '', neededUntil: '' },
      });
      return matchedCount > 0;
    },
    async makeUsual(alg, now) {
      await algorithms.updateOne({ _id: alg }, { $set: { usualSince: now } });
    },
  };
}
