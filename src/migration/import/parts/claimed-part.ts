import type { Transaction } from '#src/platform/mongo/mongo.js';
import type { ImportMode, PartOfImport } from '../modes/mode.js';
import type { PartCounts } from '../stores/import-parts.store.js';

/** A part that a worker imports, and the mode of its import. */
export interface ClaimedPart extends PartOfImport {
  readonly mode: ImportMode;
  /** What the caller writes in the transaction that imports the part. It gets the counts of the part. */
  readonly alongside?: (counts: PartCounts, transaction: Transaction) => Promise<void>;
}

/** Raised inside a transaction when the part has ended meanwhile. */
export class PartLost extends Error {}
