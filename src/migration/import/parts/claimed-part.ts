import type { Transaction } from '#src/platform/mongo/mongo.js';
import type { ImportSection } from '../lists/section/section.js';
import type { ImportPart, PartCounts } from '../stores/import-parts.store.js';
import type { ImportDetails } from '../stores/imports.store.js';

/** A part that a worker has claimed, its import, and how records of its list are imported. */
export interface PartRun {
  readonly part: ImportPart;
  readonly details: ImportDetails;
  readonly section: ImportSection;
  /** What the caller writes in the transaction that imports the part. It gets the counts of the part. */
  readonly alongside?: (counts: PartCounts, transaction: Transaction) => Promise<void>;
}

/** Raised inside a transaction when the part has ended meanwhile. */
export class PartLost extends Error {}
