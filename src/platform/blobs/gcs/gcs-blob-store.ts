import { type Bucket, IdempotencyStrategy, Storage } from '@google-cloud/storage';
import type { TargetStore } from '../transfer/target-store.js';
import type { TransferLimits } from '../transfer/transfer-limits.js';
import { downloadObject } from './gcs-download.js';
import type { GcsTarget } from './gcs-target.js';
import { uploadObject } from './gcs-upload.js';

/**
 * Google Cloud Storage, or another server with its JSON API at `endpoint`, which gets no credentials.
 * Requests go only there and to Google's token endpoint, whatever a credentials file says.
 */
export function createGcsBlobStore({
  endpoint,
  ...bounds
}: TransferLimits & { endpoint?: string }): TargetStore<GcsTarget> {
  function bucketOf({ bucket, serviceAccount }: GcsTarget, autoRetry: boolean): Bucket {
    const storage = new Storage({
      // No request needs the project of the file. Without this value the library would look for one.
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
    // The library would use STORAGE_EMULATOR_HOST as the base, without the path.
    if (endpoint !== undefined) storage.baseUrl = `${endpoint}/storage/v1`;
    return storage.bucket(bucket);
  }

  return {
    // A download retries by itself where it stopped. The library retries uploads.
    open: (target, signal) =>
      downloadObject(bucketOf(target, false), target.path, { limits: bounds, signal }),
    write: (target, content, options) =>
      uploadObject(bucketOf(target, true).file(target.path), content, { ...options, ...bounds }),
  };
}
