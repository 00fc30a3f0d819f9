import type { VerifiedCounts } from './part-comparison.js';

/** What a verification found of one list, or of the organizations (`org`). */
export interface VerifiedList extends VerifiedCounts {
  readonly list: string;
  /** Objects of the service that the file does not have. */
  readonly extra: number;
  /** Digest of all records of the file: SHA-256 of their sum, in hexadecimal digits. */
  readonly sourceDigest: string;
  /** Digest of the stored list: the objects that the file names, and all others. */
  readonly targetDigest: string;
}

/** What a verification found. */
export interface Verified {
  /** Whether both sides have the same: no record differs, nothing is extra, and the digests are equal. */
  readonly isSame: boolean;
  /** The digest of the digests of all lists. */
  readonly sourceDigest: string;
  readonly targetDigest: string;
  readonly lists: readonly VerifiedList[];
}
