import type { Transaction } from '#src/platform/mongo/mongo.js';
import type { ImportMode, PartOfImport } from '../modes/mode.js';
import type { PartCounts } from '../stores/import-parts.store.js';
import type { PartResult } from '../stores/import-results.store.js';

/** A part that a worker imports, and the mode of its import. */
export interface ClaimedPart extends PartOfImport {
  readonly mode: ImportMode;
  /** What the caller writes in the transaction that imports the part, before the records. */
  readonly alongside?: (
    part: { readonly counts: PartCounts; readonly result: PartResult },
    transaction: Transaction,
  ) => Promise<void>;
}

/** Raised inside a transaction when the part has ended meanwhile. */
export class PartLost extends Error {}
