/** Bounds of transfers. */
export interface TransferLimits {
  /** A connection on which no byte moves for so long is broken. */
  readonly stallMs: number;
  /** The pause before the second attempt. Each further pause is twice as long. */
  readonly pauseMs: number;
  /** How many attempts in a row may bring no byte. */
  readonly attempts: number;
  /** Bytes that are sent at once, and kept to be sent again. For Google Cloud Storage, a multiple of 256 KiB. */
  readonly uploadChunk: number;
}
