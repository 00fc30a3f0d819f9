import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  HeadObjectCommand,
  type S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { AppError } from '../../errors.js';
import type { Logger } from '../../logger.js';
import { blobErrors } from '../transfer/blob-errors.js';
import { TransientFault, withRetries } from '../transfer/storage-faults.js';
import type { BlobWriteOptions } from '../transfer/target-store.js';
import type { TransferLimits } from '../transfer/transfer-limits.js';
import { partsOf } from '../transfer/upload-parts.js';
import { toS3Fault } from './s3-faults.js';
import type { S3Target } from './s3-target.js';

interface S3UploadOptions extends BlobWriteOptions {
  readonly content: Readable;
  readonly limits: TransferLimits;
  readonly logger: Pick<Logger, 'warn'> | undefined;
}

/** A part that the storage has taken. */
interface SentPart {
  readonly PartNumber: number;
  readonly ETag: string | undefined;
}

/**
 * See {@link BlobStore.write}. An upload in parts, of which the storage makes the object at the end. If it fails, its parts are
 * removed. If the process dies or the removal fails, they stay until a rule of the bucket removes them. Amazon S3 takes 10,000 parts.
 */
export async function uploadToS3(
  client: S3Client,
  { bucket, path }: S3Target,
  { content, contentType, limits, signal, logger }: S3UploadOptions,
): Promise<void> {
  const object = { Bucket: bucket, Key: path };
  const options = { ...(signal && { abortSignal: signal }) };
  const retried = <T>(send: () => Promise<T>) =>
    withRetries(send, { limits, toFault: toUploadFault, signal });
  const begun = await retried(() =>
    client.send(new CreateMultipartUploadCommand({ ...object, ContentType: contentType }), options),
  );
  const upload = { ...object, UploadId: begun.UploadId };
  try {
    const parts: SentPart[] = [];
    let size = 0;
    for await (const part of partsOf(content, limits.uploadChunk, signal)) {
      const PartNumber = parts.length + 1;
      const sent = await retried(() =>
        client.send(new UploadPartCommand({ ...upload, PartNumber, Body: part }), options),
      );
      parts.push({ PartNumber, ETag: sent.ETag });
      size += part.length;
    }
    let isRepeated = false;
    await retried(async () => {
      const complete = new CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts: parts } });
      try {
        await client.send(complete, options);
      } catch (error) {
        // The answer to an earlier request may have been lost. Then the upload is gone because the object is there.
        const mayBeDone = isRepeated && isNoUpload(error);
        if (!mayBeDone || !(await isStored({ parts, size }))) throw error;
      } finally {
        isRepeated = true;
      }
    });
  } catch (error) {
    await removeParts();
    throw error;
  } finally {
    content.destroy();
  }

  /** Whether the bucket has the object that the parts make. False too if the storage does not let the credentials look. */
  async function isStored({ parts, size }: { parts: readonly SentPart[]; size: number }): Promise<boolean> {
    try {
      const found = await client.send(new HeadObjectCommand(object), options);
      return found.ContentLength === size && found.ETag === tagOf(parts);
    } catch (error) {
      if (toS3Fault(error) instanceof TransientFault) throw error;
      return false;
    }
  }

  async function removeParts(): Promise<void> {
    try {
      await client.send(new AbortMultipartUploadCommand(upload));
    } catch (error) {
      if (isNoUpload(error)) return;
      const fault = toS3Fault(error);
      const err = fault instanceof AppError ? fault : fault.outcome;
      logger?.warn({ err, bucket, path }, 'the parts of an upload that failed stay in the bucket');
    }
  }
}

function isNoUpload(error: unknown): boolean {
  return error instanceof Error && error.name === 'NoSuchUpload';
}

/**
 * The entity tag that Amazon S3 gives to an object that was made of parts: the MD5 of the MD5 of each part, and the number of
 * parts. Undefined if the tags of the parts are no MD5.
 */
function tagOf(parts: readonly SentPart[]): string | undefined {
  const whole = createHash('md5');
  for (const { ETag = '' } of parts) {
    const digest = /^"?([0-9a-f]{32})"?$/.exec(ETag)?.[1];
    if (digest === undefined) return undefined;
    whole.update(Buffer.from(digest, 'hex'));
  }
  return `"${whole.digest('hex')}-${parts.length}"`;
}

/** An upload creates its object, so only the bucket can be missing. */
function toUploadFault(error: unknown) {
  const fault = toS3Fault(error);
  const isMissing = fault instanceof AppError && fault.definition === blobErrors.objectMissing;
  return isMissing ? new AppError(blobErrors.bucketMissing) : fault;
}
