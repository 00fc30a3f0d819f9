import type { CollectionIndexes } from '#src/platform/mongo/indexes.js';
import type { Mongo, Transaction } from '#src/platform/mongo/mongo.js';

/**
 * Texts that a process is staging. If that process dies, another one can remove what it left behind.
 * src/jobs/README.md defines the words of the methods.
 */
export interface UploadsStore {
  begin(stagingId: string, now: Date): Promise<void>;
  /** Notes that the upload goes on. False if it was ended as abandoned. */
  goOn(stagingId: string, now: Date): Promise<boolean>;
  /** Ends an upload in the transaction that makes its text an import's. False if it was ended as abandoned. */
  end(stagingId: string, transaction: Transaction): Promise<boolean>;
  /** Ends uploads that did not go on since `before`. @returns the texts to remove */
  endAbandoned(before: Date, limit: number): Promise<string[]>;
  /** Removes the note, after the text was removed. */
  remove(stagingId: string): Promise<void>;
}

interface UploadDocument {
  _id: string;
  wentOn: Date;
  givenUp?: true;
}

export const uploadIndexes: CollectionIndexes = {
  collection: 'importUploads',
  indexes: [{ key: { wentOn: 1 } }],
};

export function createUploadsStore(mongo: Mongo): UploadsStore {
  const uploads = mongo.collection<UploadDocument>('importUploads');
  const open = { givenUp: { $exists: false } };
  return {
    async begin(stagingId, now) {
      await uploads.insertOne({ _id: stagingId, wentOn: now });
    },
    async goOn(stagingId, now) {
      const updated = await uploads.updateOne({ _id: stagingId, ...open }, { $set: { wentOn: now } });
      return updated.matchedCount === 1;
    },
    async end(stagingId, transaction) {
      const ended = await uploads.deleteOne({ _id: stagingId, ...open }, { session: transaction });
      return ended.deletedCount === 1;
    },
    async endAbandoned(before, limit) {
      const late = { wentOn: { $lt: before } };
      await uploads.updateMany(late, { $set: { givenUp: true } });
      const found = await uploads
        .find({ ...late, givenUp: true }, { projection: { _id: 1 } })
        .limit(limit)
        .toArray();
      return found.map(({ _id }) => _id);
    },
    async remove(stagingId) {
      await uploads.deleteOne({ _id: stagingId });
    },
  };
}
