import type { Readable } from 'node:stream';
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  type S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { AppError } from '../../errors.js';
import { blobErrors } from '../blob-errors.js';
import type { BlobWriteOptions } from '../blob-store.js';
import { attempt } from '../storage-faults.js';
import type { TransferLimits } from '../transfer-limits.js';
import { partsOf } from '../upload-parts.js';
import { toS3Fault } from './s3-faults.js';
import type { S3Target } from './s3-target.js';

/**
 * See {@link BlobStore.write}. An upload in parts, of which the storage makes the object at the end. If it fails, its parts are
 * removed; if the process dies, they stay until a rule of the bucket removes them. Amazon S3 takes 10,000 parts.
 */
export async function uploadToS3(
  client: S3Client,
  { bucket, path }: S3Target,
  { content, contentType, limits, signal }: BlobWriteOptions & { content: Readable; limits: TransferLimits },
): Promise<void> {
  const object = { Bucket: bucket, Key: path };
  const options = { ...(signal && { abortSignal: signal }) };
  const retried = <T>(send: () => Promise<T>) => attempt(send, { limits, toFault: toUploadFault, signal });
  const begun = await retried(() =>
    client.send(new CreateMultipartUploadCommand({ ...object, ContentType: contentType }), options),
  );
  const upload = { ...object, UploadId: begun.UploadId };
  try {
    const parts: { PartNumber: number; ETag: string | undefined }[] = [];
    for await (const part of partsOf(content, limits.uploadChunk, signal)) {
      const PartNumber = parts.length + 1;
      const sent = await retried(() =>
        client.send(new UploadPartCommand({ ...upload, PartNumber, Body: part }), options),
      );
      parts.push({ PartNumber, ETag: sent.ETag });
    }
    await retried(() =>
      client.send(
        new CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts: parts } }),
        options,
      ),
    );
  } catch (error) {
    await client.send(new AbortMultipartUploadCommand(upload)).catch(() => undefined);
    throw error;
  } finally {
    content.destroy();
  }
}

/** An upload creates its object, so only the bucket can be missing. */
function toUploadFault(error: unknown) {
  const fault = toS3Fault(error);
  const isMissing = fault instanceof AppError && fault.definition === blobErrors.objectMissing;
  return isMissing ? new AppError(blobErrors.bucketMissing) : fault;
}
