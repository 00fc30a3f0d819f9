import type { Readable } from 'node:stream';
import { AppError, defineErrors } from '../errors.js';
import { largestExpansion } from '../expansion.js';
import { readServiceAccount, type ServiceAccount } from './service-account.js';

/** The bucket and path of an object, and the account that reads or writes it. */
export interface BlobTarget {
  readonly bucket: string;
  readonly path: string;
  readonly serviceAccount: ServiceAccount;
}

export interface BlobWriteOptions {
  readonly contentType: string;
  /** Aborts the upload. The object is then not written. */
  readonly signal?: AbortSignal;
}

/** Objects in buckets, as streams. Every failure is one of {@link blobErrors}. */
export interface BlobStore {
  /**
   * The bytes of an object, all from one generation. After a broken or stalled connection, the download
   * continues where it stopped. The stream ends without an error only if the checksum is that of the object.
   */
  open(target: BlobTarget): Readable;
  /**
   * Writes an object, and replaces an existing one. The object appears when all of it has arrived. If
   * `content` fails, its error is thrown unchanged, and no object appears.
   */
  write(target: BlobTarget, content: Readable, options: BlobWriteOptions): Promise<void>;
}

export const blobErrors = defineErrors('bucket', {
  targetInvalid: { kind: 'invalid', message: 'Bucket or path is not valid' },
  serviceAccountInvalid: { kind: 'invalid', message: 'The service account cannot be used' },
  credentialsRefused: {
    kind: 'invalid',
    message: 'The storage refuses the credentials of the service account',
  },
  permissionMissing: {
    kind: 'invalid',
    message: 'The service account lacks the permission, or the object does not exist',
  },
  bucketMissing: { kind: 'invalid', message: 'The bucket does not exist' },
  objectMissing: { kind: 'invalid', message: 'The object does not exist' },
  transferFailed: {
    kind: 'unavailable',
    message: 'The bucket did not transfer the object; try again shortly',
  },
  truncated: {
    kind: 'unavailable',
    message: 'The bucket ended the download too early several times; try again shortly',
  },
  expandsTooMuch: {
    kind: 'invalid',
    message: `The object becomes more than ${largestExpansion} times as long when it is unpacked`,
  },
  checksumMismatch: {
    kind: 'unavailable',
    message: 'The transferred bytes do not match the checksum of the object; try again',
  },
});

/**
 * Reads a target from a request.
 * @param given `serviceaccountJson` is the base64 of the JSON file of a service account
 * @throws AppError `bucket.targetInvalid`, `bucket.serviceAccountInvalid`
 */
export function readBlobTarget(given: {
  bucket: string;
  path: string;
  serviceaccountJson: string;
}): BlobTarget {
  const { bucket, path } = given;
  if (!/^[a-z0-9][a-z0-9._-]{1,220}[a-z0-9]$/.test(bucket) || bucket.includes('..')) {
    throw new AppError(blobErrors.targetInvalid, { detail: 'bucket is not the name of a bucket' });
  }
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused
  const isOdd = /[\u0000-\u001f\u007f]|^\.{1,2}$/.test(path) || !path.isWellFormed();
  if (path === '' || Buffer.byteLength(path) > 1024 || isOdd) {
    throw new AppError(blobErrors.targetInvalid, { detail: 'path is not the name of an object' });
  }
  const serviceAccount = readServiceAccount(given.serviceaccountJson);
  if (typeof serviceAccount === 'string') {
    throw new AppError(blobErrors.serviceAccountInvalid, { detail: `serviceaccountJson ${serviceAccount}` });
  }
  return { bucket, path, serviceAccount };
}
