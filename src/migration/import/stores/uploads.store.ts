import type { CollectionIndexes, Mongo, Transaction } from '#src/platform/mongo/mongo.js';

/** Texts that some process is staging, so that others can remove what one that died leaves behind. */
export interface UploadsStore {
  begin(stagingId: string, now: Date): Promise<void>;
  /** Notes that it goes on; false when it was given up. */
  goOn(stagingId: string, now: Date): Promise<boolean>;
  /** The text is an import's, in the transaction that says so; false when it was given up. */
  end(stagingId: string, transaction: Transaction): Promise<boolean>;
  /** Gives up texts that nobody went on with since `before`. @returns those that are to be removed */
  giveUp(before: Date, limit: number): Promise<string[]>;
  /** Nothing is left of the text. */
  forget(stagingId: string): Promise<void>;
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
    async giveUp(before, limit) {
      const late = { wentOn: { $lt: before } };
      await uploads.updateMany(late, { $set: { givenUp: true } });
      const found = await uploads
        .find({ ...late, givenUp: true }, { projection: { _id: 1 } })
        .limit(limit)
        .toArray();
      return found.map(({ _id }) => _id);
    },
    async forget(stagingId) {
      await uploads.deleteOne({ _id: stagingId });
    },
  };
}
