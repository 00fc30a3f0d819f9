/** What a scan finds, as it goes. Places are bytes from the beginning of the text. */
export interface ScanHandler {
  /** A property of the envelope that is small and whole: `timeout`, `dryRun` and where a bucket's object lies. */
  property(key: string, value: unknown): void;
  /** The list of organizations begins, under this property. */
  data(key: string): void;
  record(section: string, place: { readonly start: number; readonly end: number }): void;
  /** An organization has a list, not an empty one, under a key that no section has; it is passed over. */
  unknownList(key: string): void;
  /** An organization ended; its lists came before. */
  organization(given: { readonly orgId?: unknown; readonly org?: unknown }): void;
}

/** The text is not an import: nothing of it can be used. */
export class ScanError extends Error {}
