import type { Document } from 'mongodb';
import type { Mongo } from './mongo.js';

/** A change of stored documents that is made while the service runs. */
export interface Upgrade {
  /** What it is known by for ever. */
  readonly name: string;
  /**
   * Does a batch of what is left after a position, undefined at the beginning.
   * @returns where it got to; undefined when nothing was left
   */
  next(position: string | undefined): Promise<string | undefined>;
}

export interface DocumentUpgrade<T extends Document> {
  readonly name: string;
  readonly collection: string;
  /** The `schemaVersion` of the documents that it makes anew; they have the next one afterwards. */
  readonly from: number;
  /** The fields that the document is to have beside those that stay. It may be asked again for the same document. */
  change(document: T): Partial<T>;
  readonly batch?: number;
}

type Versioned = Document & { _id: string; schemaVersion: number; version?: number };

/**
 * Changes documents by their `schemaVersion`. One that is written by somebody else in between is left, and found again
 * by the next pass; so a change never goes back on another. Processes of the earlier version must be able to read what
 * it makes.
 */
export function documentUpgrade<T extends Document>(mongo: Mongo, options: DocumentUpgrade<T>): Upgrade {
  const { name, collection, from, change, batch = 500 } = options;
  const documents = mongo.collection<Versioned>(collection);
  return {
    name,
    async next(position) {
      const left = { schemaVersion: from, ...(position !== undefined && { _id: { $gt: position } }) };
      // No index leads to those that are left, and nobody waits for them.
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
      return last._id;
    },
  };
}
