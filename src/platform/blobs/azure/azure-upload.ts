import { createHash, randomBytes } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { BlockBlobClient } from '@azure/storage-blob';
import { AppError } from '../../errors.js';
import { blobErrors } from '../transfer/blob-errors.js';
import { withRetries } from '../transfer/storage-faults.js';
import type { BlobWriteOptions } from '../transfer/target-store.js';
import type { TransferLimits } from '../transfer/transfer-limits.js';
import { partsOf } from '../transfer/upload-parts.js';
import { toAzureFault } from './azure-faults.js';

/**
 * See {@link BlobStore.write}. An upload in blocks, of which the storage makes the blob at the end. Blocks that no blob took are
 * removed by the storage after a week. It takes 50,000 blocks.
 */
export async function uploadToAzure(
  blob: BlockBlobClient,
  { content, contentType, limits, signal }: BlobWriteOptions & { content: Readable; limits: TransferLimits },
): Promise<void> {
  const options = { ...(signal && { abortSignal: signal }) };
  const retried = <T>(send: () => Promise<T>) =>
    withRetries(send, { limits, toFault: toUploadFault, signal });
  // Another upload to the same blob must not take these blocks for its own.
  const uploadId = randomBytes(8).toString('hex');
  const ids: string[] = [];
  const whole = createHash('md5');
  try {
    for await (const block of partsOf(content, limits.uploadChunk, signal)) {
      const id = Buffer.from(`${uploadId}-${String(ids.length).padStart(5, '0')}`).toString('base64');
      const transactionalContentMD5 = createHash('md5').update(block).digest();
      whole.update(block);
      await retried(() => blob.stageBlock(id, block, block.length, { ...options, transactionalContentMD5 }));
      ids.push(id);
    }
    const blobHTTPHeaders = { blobContentType: contentType, blobContentMD5: whole.digest() };
    await retried(() => blob.commitBlockList(ids, { ...options, blobHTTPHeaders }));
  } finally {
    content.destroy();
  }
}

/** An upload creates its blob, so only the container can be missing. */
function toUploadFault(error: unknown) {
  const fault = toAzureFault(error);
  const isMissing = fault instanceof AppError && fault.definition === blobErrors.objectMissing;
  return isMissing ? new AppError(blobErrors.bucketMissing) : fault;
}
