import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import {
  AnonymousCredential,
  ContainerClient,
  newPipeline,
  StorageSharedKeyCredential,
} from '@azure/storage-blob';
import { type Checksum, downloadResumed, type ObjectSource } from '../transfer/resumed-download.js';
import type { StorageTransport } from '../transfer/storage-transport.js';
import { type TaggedObject, takeObject } from '../transfer/tagged-object.js';
import type { TargetStore } from '../transfer/target-store.js';
import type { TransferLimits } from '../transfer/transfer-limits.js';
import { toAzureFault } from './azure-faults.js';
import { azureHttpClient } from './azure-http-client.js';
import type { AzureTarget } from './azure-target.js';
import { uploadToAzure } from './azure-upload.js';

/** Azure Blob Storage. */
export function createAzureBlobStore({
  transport,
  limits,
}: {
  transport: StorageTransport;
  limits: TransferLimits;
}): TargetStore<AzureTarget> {
  return {
    open: (target, signal) =>
      downloadResumed<TaggedObject>(
        { open: opener(target, transport), toFault: toAzureFault },
        limits,
        signal,
      ),
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

function opener(target: AzureTarget, transport: StorageTransport): ObjectSource<TaggedObject>['open'] {
  const blob = containerOf(target, transport).getBlobClient(target.path);
  return async (start, known, signal) => {
    const answer = await blob.download(start, undefined, {
      maxRetryRequests: 0,
      ...(signal && { abortSignal: signal }),
      ...(known && { conditions: { ifMatch: known.etag } }),
    });
    const { etag, contentLength, contentRange, contentEncoding, contentMD5 } = answer;
    const response = {
      etag,
      length: contentLength,
      range: contentRange,
      encoding: contentEncoding,
      // A blob that was uploaded in blocks has the hash that its uploader computed, or none.
      checksum: contentMD5 && checksumOf(contentMD5),
      body: answer.readableStreamBody as Readable,
    };
    return takeObject(response, { start, known });
  };
}

function checksumOf(md5: Uint8Array): Checksum {
  const hash = createHash('md5');
  return { update: (chunk) => void hash.update(chunk), matches: () => hash.digest().equals(md5) };
}
