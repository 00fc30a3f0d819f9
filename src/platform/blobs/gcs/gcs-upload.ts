import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { File } from '@google-cloud/storage';
import { AppError } from '../../errors.js';
import { blobErrors } from '../transfer/blob-errors.js';
import type { BlobWriteOptions } from '../transfer/target-store.js';
import type { TransferLimits } from '../transfer/transfer-limits.js';
import { statusOf, toBlobError } from './gcs-errors.js';
import { removeObject } from './gcs-media.js';

/**
 * See {@link BlobStore.write}. A resumable upload in chunks. After a broken connection, the library asks how
 * much has arrived. At the end it compares the checksum of what it sent with the one that the storage
 * reports.
 */
export async function uploadObject(
  file: File,
  content: Readable,
  options: BlobWriteOptions & TransferLimits,
): Promise<void> {
  const { contentType, signal, stallMs, uploadChunk, attempts } = options;
  const { apiEndpoint } = file.storage;
  // The library follows redirects with the content, and sends it to whatever address the storage names.
  file.interceptors.push({ request: withoutRedirects });
  // It removes the object whose checksum is wrong.
  Object.defineProperty(file, 'delete', { value: () => removeObject(file, stallMs) });
  const upload = file.createWriteStream({
    resumable: true,
    chunkSize: uploadChunk,
    validation: 'crc32c',
    metadata: { contentType },
  });
  // The library asks the address when this has returned, and fails with what this throws.
  upload.on('uri', (address: string) => {
    const isSame = URL.canParse(address) && new URL(address).origin === new URL(apiEndpoint).origin;
    if (!isSame) throw new AppError(blobErrors.redirected);
  });
  let sourceError: unknown;
  content.once('error', (error) => {
    sourceError = error;
  });
  // The library retries, but it waits without a limit for a response that never comes.
  let moved = Date.now();
  upload.on('progress', () => {
    moved = Date.now();
  });
  const watch = setInterval(() => {
    const waits = upload.writableNeedDrain || upload.writableEnded;
    if (!waits) moved = Date.now();
    else if (Date.now() - moved > stallMs * attempts) upload.destroy(new Error('The upload stalls'));
  }, stallMs / 4);
  try {
    await pipeline(content, upload, { ...(signal && { signal }) });
  } catch (error) {
    signal?.throwIfAborted();
    if (sourceError !== undefined && sourceError === error) throw error;
    if ((error as NodeJS.ErrnoException).code === 'FILE_NO_UPLOAD') {
      throw new AppError(blobErrors.checksumMismatch);
    }
    // An upload creates its object, so only the bucket can be missing.
    if (statusOf(error) === 404) throw new AppError(blobErrors.bucketMissing);
    throw toBlobError(error);
  } finally {
    clearInterval(watch);
  }
}

type Intercept = NonNullable<File['interceptors'][number]['request']>;

/** The library passes the options of its requests on to `fetch`. */
const withoutRedirects: Intercept = (request) =>
  Object.assign(request, { redirect: 'manual' }) as ReturnType<Intercept>;
