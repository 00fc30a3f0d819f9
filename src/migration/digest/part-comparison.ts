import { RecordSum } from './record-digest.js';

/** The number of records of a list by what a verification found. The names are those of the report. */
export interface VerifiedCounts {
  /** The service has the record as the file says. */
  readonly same: number;
  /** The service does not have the record. */
  readonly missing: number;
  /** The service has the record with other values. */
  readonly different: number;
  /** The service could not have the record. */
  readonly refused: number;
}

/** What a verification found in one part. */
export interface PartComparison extends VerifiedCounts {
  /** Sum of the records of the file: see {@link RecordSum}. */
  readonly source: Buffer;
  /** Sum of what the service has for them. */
  readonly target: Buffer;
  /** The keys of the records that the service has, `keyBytes` of each. */
  readonly matched: Buffer;
}

/** What a verification found in several pieces of one part. */
export function joinComparisons(pieces: readonly PartComparison[]): PartComparison {
  const counts = { same: 0, missing: 0, different: 0, refused: 0 };
  for (const piece of pieces) {
    for (const verdict of ['same', 'missing', 'different', 'refused'] as const)
      counts[verdict] += piece[verdict];
  }
  return {
    ...counts,
    source: sumOfSums(pieces.map(({ source }) => source)),
    target: sumOfSums(pieces.map(({ target }) => target)),
    matched: Buffer.concat(pieces.map(({ matched }) => matched)),
  };
}

/** The sum of several sums: `RecordSum.bytes` of all of their records. */
export function sumOfSums(sums: readonly (Buffer | undefined)[]): Buffer {
  const sum = new RecordSum();
  for (const bytes of sums) if (bytes !== undefined) sum.addBytes(bytes);
  return sum.bytes();
}
