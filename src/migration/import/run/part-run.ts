import type { ImportSection } from '../sections/section.js';
import type { ImportPart } from '../stores/import-parts.store.js';
import type { ImportDetails } from '../stores/imports.store.js';

/** A part that a worker has claimed, its import, and how records of its list are imported. */
export interface PartRun {
  readonly part: ImportPart;
  readonly details: ImportDetails;
  readonly section: ImportSection;
}

/** Raised inside a transaction when the part has ended meanwhile. */
export class PartLost extends Error {}
