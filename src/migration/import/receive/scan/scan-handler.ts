import type { ByteRange, RecordPlace } from '../../stores/import-parts.store.js';

/** Receives what a scan finds, in the order of the text. */
export interface ScanHandler {
  /** A small property of the body: `timeout`, `dryRun`, or the object of a bucket. */
  property(key: string, value: unknown): void;
  /** The list of organizations begins. `key` is the property of the body that has it. */
  data(key: string): void;
  /** A record of a list of the current organization. `section` is the key of the list. */
  record(section: string, place: RecordPlace): void;
  /** The current organization has a list that is not empty, under a key that no section has. It is not imported. */
  unknownList(key: string): void;
  /** A value that is not read: a list without a section, or another property. `owner` is where it stands. */
  skipped?(key: string, range: ByteRange, owner: 'body' | 'organization'): void;
  /** The current organization, or an object around it, has a value that is not read. `path` is where it is. */
  unknownValue?(path: string): void;
  /** The current organization ends. Its lists came before. */
  organization(given: ScannedOrganization): void;
}

/** An organization, and where its first byte is. */
export interface ScannedOrganization {
  readonly orgId?: unknown;
  readonly org?: unknown;
  readonly line: number;
  readonly position: number;
}

/** The text is no import. None of it is imported. */
export class ScanError extends Error {}
