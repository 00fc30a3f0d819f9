import type { Document } from 'mongodb';
import type { Mongo } from './mongo.js';

/** A batch of an upgrade. */
interface UpgradeStep {
  /** The last document of the batch. The next batch begins after it. */
  readonly position: string;
  /** Whether a document had to be changed. Documents may then be left elsewhere, so the upgrade looks once more from the beginning. */
  readonly changed: boolean;
}

/** A change of stored documents while the service runs. */
export interface Upgrade {
  /** The permanent name of the upgrade. */
  readonly name: string;
  /**
   * Reads a batch of documents after a position, which is undefined at the beginning, and changes those that need it. The position of each
   * batch is saved, so that an upgrade that ends early goes on there.
   * @returns undefined when no document is left after the position
   */
  next(position: string | undefined): Promise<UpgradeStep | undefined>;
}

interface DocumentUpgrade<T extends Document> {
  readonly name: string;
  readonly collection: string;
  /** The `schemaVersion` of the documents to change. Changed documents have the next version. */
  readonly from: number;
  /** The fields of the changed document that differ. It may be called again for the same document. */
  change(document: T): Partial<T>;
  readonly batch?: number;
}

type Versioned = Document & { _id: string; schemaVersion: number; version?: number };

/**
 * Changes documents by their `schemaVersion`. A document that another process writes in between is skipped,
 * and found again in the next pass, so the upgrade never reverts another change. Processes of the earlier
 * version must be able to read the changed documents.
 */
export function documentUpgrade<T extends Document>(mongo: Mongo, options: DocumentUpgrade<T>): Upgrade {
  const { name, collection, from, change, batch = 500 } = options;
  const documents = mongo.collection<Versioned>(collection);
  return {
    name,
    async next(position) {
      const left = { schemaVersion: from, ...(position !== undefined && { _id: { $gt: position } }) };
      // No index finds the remaining documents, and no client waits for them.
      const found = await documents.find(left, { maxTimeMS: 0 }).sort({ _id: 1 }).limit(batch).toArray();
      const last = found.at(-1);
      if (last === undefined) return undefined;
      await documents.bulkWrite(
        found.map((document) => {
          const { _id, version } = document;
          const filter = { _id, schemaVersion: from, ...(version !== undefined && { version }) };
          const fields = { ...change(document as unknown as T), schemaVersion: from + 1 };
          return { updateOne: { filter, update: { $set: fields } } };
        }),
        { ordered: false },
      );
      return { position: last._id, changed: true };
    },
  };
}
