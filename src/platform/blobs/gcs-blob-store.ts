import { type Bucket, IdempotencyStrategy, Storage } from '@google-cloud/storage';
import type { BlobStore, BlobTarget } from './blob-store.js';
import { downloadObject } from './gcs-download.js';
import type { GcsLimits } from './gcs-limits.js';
import { uploadObject } from './gcs-upload.js';

const usual: GcsLimits = { stallMs: 20_000, pauseMs: 500, attempts: 6, uploadChunk: 8 * 1024 * 1024 };

/**
 * Google Cloud Storage, or at `endpoint` another server that speaks its JSON API; that one gets no credentials.
 * Requests go there and to Google's token endpoint, whatever a credentials file says.
 */
export function createGcsBlobStore({
  endpoint,
  ...limits
}: Partial<GcsLimits> & { endpoint?: string }): BlobStore {
  const bounds = { ...usual, ...limits };

  function bucketOf({ bucket, serviceAccount }: BlobTarget, autoRetry: boolean): Bucket {
    const storage = new Storage({
      // Not the one of the file: no request of ours needs it, and without one the library would look for it.
      projectId: 'none',
      credentials: { client_email: serviceAccount.clientEmail, private_key: serviceAccount.privateKey },
      timeout: bounds.stallMs,
      retryOptions: {
        autoRetry,
        maxRetries: bounds.attempts - 1,
        maxRetryDelay: Math.max(1, (bounds.pauseMs * 16) / 1000),
        totalTimeout: (bounds.stallMs * bounds.attempts) / 1000,
        idempotencyStrategy: IdempotencyStrategy.RetryAlways,
      },
      ...(endpoint !== undefined && { apiEndpoint: endpoint }),
    });
    // The library would take STORAGE_EMULATOR_HOST itself as the base, without the path.
    if (endpoint !== undefined) storage.baseUrl = `${endpoint}/storage/v1`;
    return storage.bucket(bucket);
  }

  return {
    // Retried by ourselves, where it stopped; uploads are by the library.
    open: (target) => downloadObject(bucketOf(target, false), target.path, bounds),
    write: (target, content, options) =>
      uploadObject(bucketOf(target, true).file(target.path), content, { ...options, ...bounds }),
  };
}
