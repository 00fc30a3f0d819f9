import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import {
  AnonymousCredential,
  type BlobDownloadResponseParsed,
  ContainerClient,
  newPipeline,
  StorageSharedKeyCredential,
} from '@azure/storage-blob';
import { AppError } from '../../errors.js';
import { blobErrors } from '../blob-errors.js';
import type { TargetStore } from '../blob-store.js';
import { type Checksum, downloadResumed, type ObjectSource, type StoredObject } from '../resumed-download.js';
import type { StorageTransport } from '../storage-transport.js';
import type { TransferLimits } from '../transfer-limits.js';
import { toAzureFault } from './azure-faults.js';
import { azureHttpClient } from './azure-http-client.js';
import type { AzureTarget } from './azure-target.js';
import { uploadToAzure } from './azure-upload.js';

interface AzureObject extends StoredObject {
  readonly etag: string;
}

/** Azure Blob Storage. */
export function createAzureBlobStore({
  transport,
  limits,
}: {
  transport: StorageTransport;
  limits: TransferLimits;
}): TargetStore<AzureTarget> {
  return {
    open: (target) =>
      downloadResumed<AzureObject>({ open: opener(target, transport), toFault: toAzureFault }, limits),
    write: (target, content, options) =>
      uploadToAzure(containerOf(target, transport).getBlockBlobClient(target.path), {
        content,
        limits,
        ...options,
      }),
  };
}

/** The one source of credentials is the request. The library looks for none by itself. */
function containerOf({ endpoint, container, credentials }: AzureTarget, transport: StorageTransport) {
  const isSigned = 'sasToken' in credentials;
  const credential = isSigned
    ? new AnonymousCredential()
    : new StorageSharedKeyCredential(credentials.account, credentials.accountKey);
  // Attempts are made here, within bounds of ours.
  const options = { httpClient: azureHttpClient(transport), retryOptions: { maxTries: 1 } };
  const query = isSigned ? `?${credentials.sasToken}` : '';
  return new ContainerClient(`${endpoint}/${container}${query}`, newPipeline(credential, options));
}

function opener(target: AzureTarget, transport: StorageTransport): ObjectSource<AzureObject>['open'] {
  const blob = containerOf(target, transport).getBlobClient(target.path);
  return async (start, known) => {
    const answer = await blob.download(start, undefined, {
      maxRetryRequests: 0,
      ...(known && { conditions: { ifMatch: known.etag } }),
    });
    const body = answer.readableStreamBody as Readable;
    try {
      const object = known ?? toObject(answer);
      requireRest(answer, object, start);
      return { object, body };
    } catch (error) {
      body.destroy();
      throw error;
    }
  };
}

function toObject(answer: BlobDownloadResponseParsed): AzureObject {
  const { etag, contentLength: size, contentEncoding, contentMD5 } = answer;
  if (etag === undefined || size === undefined) {
    throw new AppError(blobErrors.refused, {
      detail: 'The storage does not tell the length and the entity tag of the object',
    });
  }
  return {
    etag,
    size,
    compressed: contentEncoding === 'gzip',
    // A blob that was uploaded in blocks has the hash that its uploader computed, or none.
    checksum: contentMD5 && checksumOf(contentMD5),
  };
}

function checksumOf(md5: Uint8Array): Checksum {
  const hash = createHash('md5');
  return { update: (chunk) => void hash.update(chunk), matches: () => hash.digest().equals(md5) };
}

/** @throws AppError `bucket.objectChanged`, `bucket.refused` */
function requireRest(answer: BlobDownloadResponseParsed, { etag, size }: AzureObject, start: number): void {
  if (answer.etag !== etag) throw new AppError(blobErrors.objectChanged);
  const isRest = start === 0 || answer.contentRange === `bytes ${start}-${size - 1}/${size}`;
  if (!isRest)
    throw new AppError(blobErrors.refused, { detail: 'The storage does not send the rest of the object' });
}
