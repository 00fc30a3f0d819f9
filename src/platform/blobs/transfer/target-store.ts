import type { Readable } from 'node:stream';

export interface BlobWriteOptions {
  readonly contentType: string;
  /** Aborts the upload. The object is then not written. */
  readonly signal?: AbortSignal;
}

/** Objects in the buckets of one provider, as streams. Every failure is one of `blobErrors`. */
export interface TargetStore<Target> {
  /**
   * The bytes of an object, all from one generation of it. After a broken or stalled connection, the download
   * continues where it stopped. The stream ends without an error only if the checksum is that of the object.
   * @param signal ends the download with its reason, also before the first byte
   */
  open(target: Target, signal?: AbortSignal): Readable;
  /**
   * Writes an object, and replaces an existing one. The object appears when all of it has arrived. If
   * `content` fails, its error is thrown unchanged, and no object appears.
   */
  write(target: Target, content: Readable, options: BlobWriteOptions): Promise<void>;
}
