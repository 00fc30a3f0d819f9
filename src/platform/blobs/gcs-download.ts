import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { createGunzip } from 'node:zlib';
import { type Bucket, CRC32C, type FileMetadata } from '@google-cloud/storage';
import { AppError } from '../errors.js';
import { expandsTooMuch } from '../expansion.js';
import { blobErrors } from './blob-store.js';
import { isTransient, toBlobError } from './gcs-errors.js';
import type { GcsLimits } from './gcs-limits.js';
import { requestMedia, within } from './gcs-media.js';

/** The object at the beginning of the download. */
interface Found {
  readonly generation: string;
  readonly size: number;
  /** In base64. Some servers do not compute it. */
  readonly crc32c: string | undefined;
  readonly compressed: boolean;
}

/**
 * See {@link BlobStore.open}. It unpacks an object that is stored with the content encoding gzip.
 * @throws AppError `bucket.expandsTooMuch`
 */
export function downloadObject(bucket: Bucket, path: string, limits: GcsLimits): Readable {
  return Readable.from(read(bucket, path, limits), { objectMode: false, highWaterMark: 1024 * 1024 });
}

async function* read(bucket: Bucket, path: string, limits: GcsLimits): AsyncGenerator<Buffer> {
  const found = await find(bucket, path, limits);
  const stored = readStored(bucket, path, { found, limits });
  if (!found.compressed) {
    yield* stored;
    return;
  }
  let taken = 0;
  let made = 0;
  async function* counted() {
    for await (const chunk of stored) {
      taken += chunk.length;
      yield chunk;
    }
  }
  const source = Readable.from(counted(), { objectMode: false });
  const unpacked = createGunzip();
  source.on('error', (error) => unpacked.destroy(error));
  source.pipe(unpacked);
  try {
    for await (const chunk of unpacked as AsyncIterable<Buffer>) {
      made += chunk.length;
      if (expandsTooMuch(taken, made)) throw new AppError(blobErrors.expandsTooMuch);
      yield chunk;
    }
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw new AppError(blobErrors.transferFailed, {
      detail: 'The object is not the gzip that it says it is',
    });
  } finally {
    source.destroy();
  }
}

async function find(bucket: Bucket, path: string, limits: GcsLimits): Promise<Found> {
  for (let failures = 1; ; failures++) {
    try {
      const [metadata] = await within(limits.stallMs, bucket.file(path).getMetadata());
      return toFound(metadata);
    } catch (error) {
      if (failures >= limits.attempts || !isTransient(error)) throw toBlobError(error);
    }
    await pauseAfter(failures, limits);
  }
}

function toFound({ generation, size, crc32c, contentEncoding }: FileMetadata): Found {
  return {
    generation: String(generation),
    size: Number(size),
    crc32c,
    compressed: contentEncoding === 'gzip',
  };
}

function pauseAfter(failures: number, { pauseMs }: GcsLimits): Promise<void> {
  return pause(pauseMs * 2 ** (failures - 1));
}

/** The stored bytes, over as many connections as needed. */
async function* readStored(
  bucket: Bucket,
  path: string,
  { found, limits }: { found: Found; limits: GcsLimits },
): AsyncGenerator<Buffer> {
  const file = bucket.file(path, { generation: found.generation });
  const checksum = new CRC32C();
  let received = 0;
  let failures = 0;
  while (received < found.size) {
    const before = received;
    let failure: unknown;
    let stream: Readable | undefined;
    try {
      stream = await requestMedia(file, { start: received, stallMs: limits.stallMs });
      for await (const chunk of withoutStalls(stream, limits.stallMs)) {
        checksum.update(chunk);
        received += chunk.length;
        if (received > found.size) throw new AppError(blobErrors.checksumMismatch);
        yield chunk;
      }
    } catch (error) {
      if (!isTransient(error)) throw toBlobError(error);
      failure = error;
    } finally {
      stream?.destroy();
    }
    if (received === found.size) break;
    failures = received > before ? 1 : failures + 1;
    if (failures >= limits.attempts) {
      throw failure === undefined ? new AppError(blobErrors.truncated) : toBlobError(failure);
    }
    await pauseAfter(failures, limits);
  }
  if (found.crc32c !== undefined && !checksum.validate(found.crc32c)) {
    throw new AppError(blobErrors.checksumMismatch);
  }
}

/** Fails when the next chunk is late. The time in which the reader is slow does not count. */
async function* withoutStalls(stream: Readable, stallMs: number): AsyncGenerator<Buffer> {
  const chunks = stream[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  for (;;) {
    const timer = setTimeout(() => stream.destroy(new Error('The download stalls')), stallMs);
    try {
      const { done, value } = await chunks.next();
      if (done) return;
      clearTimeout(timer);
      yield value;
    } finally {
      clearTimeout(timer);
    }
  }
}
