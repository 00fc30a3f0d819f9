/** Bounds of transfers. */
export interface TransferLimits {
  /** A connection on which no byte moves for so long, or a download that brings too few, is broken. In milliseconds. */
  readonly stallMs: number;
  /** The pause before the second attempt, in milliseconds. Each further pause is twice as long. */
  readonly pauseMs: number;
  /** How many attempts in a row may make no progress. */
  readonly attempts: number;
  /** Bytes that are sent at once, and kept to be sent again. For Google Cloud Storage, a multiple of 256 KiB. */
  readonly uploadChunk: number;
}
