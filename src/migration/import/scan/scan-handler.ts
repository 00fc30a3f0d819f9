import type { ByteRange } from '../stores/import-parts.store.js';

/** Receives what a scan finds, in the order of the text. */
export interface ScanHandler {
  /** A small property of the body: `timeout`, `dryRun`, or the object of a bucket. */
  property(key: string, value: unknown): void;
  /** The list of organizations begins. `key` is the property of the body that has it. */
  data(key: string): void;
  /** A record of a list of the current organization. `section` is the key of the list. */
  record(section: string, range: ByteRange): void;
  /** The current organization has a list that is not empty, under a key that no section has. It is not imported. */
  unknownList(key: string): void;
  /** A value that is not read: a list without a section, or another property. `owner` is where it stands. */
  skipped?(key: string, range: ByteRange, owner: 'body' | 'organization'): void;
  /** The current organization ends. Its lists came before. */
  organization(given: { readonly orgId?: unknown; readonly org?: unknown }): void;
}

/** The text is no import. None of it is imported. */
export class ScanError extends Error {}
