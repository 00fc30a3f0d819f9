import type { Readable } from 'node:stream';
import { type Bucket, CRC32C, type FileMetadata } from '@google-cloud/storage';
import { type Checksum, downloadResumed, type StoredObject } from '../transfer/resumed-download.js';
import { TransientFault } from '../transfer/storage-faults.js';
import type { TransferLimits } from '../transfer/transfer-limits.js';
import { isTransient, toBlobError } from './gcs-errors.js';
import { readDescription, requestMedia } from './gcs-media.js';

interface GcsObject extends StoredObject {
  readonly generation: string;
}

/** See {@link BlobStore.open}. */
export function downloadObject(
  bucket: Bucket,
  path: string,
  { limits, signal }: { limits: TransferLimits; signal: AbortSignal | undefined },
): Readable {
  const { stallMs } = limits;
  return downloadResumed<GcsObject>(
    {
      open: async (start, known) => {
        const object = known ?? (await find());
        const file = bucket.file(path, { generation: object.generation });
        return { object, body: await requestMedia(file, { start, stallMs, signal }) };
      },
      toFault: (error) => (isTransient(error) ? new TransientFault(toBlobError(error)) : toBlobError(error)),
    },
    limits,
    signal,
  );

  async function find(): Promise<GcsObject> {
    return toObject(await readDescription(bucket.file(path), { stallMs, signal }));
  }
}

function toObject({ generation, size, crc32c, contentEncoding }: FileMetadata): GcsObject {
  return {
    generation: String(generation),
    size: Number(size),
    compressed: contentEncoding === 'gzip',
    // Some servers do not compute it.
    checksum: crc32c === undefined ? undefined : checksumOf(crc32c),
  };
}

/** @param expected in base64 */
function checksumOf(expected: string): Checksum {
  const sum = new CRC32C();
  return { update: (chunk) => sum.update(chunk), matches: () => sum.validate(expected) };
}
