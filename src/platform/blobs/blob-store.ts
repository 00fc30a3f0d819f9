import type { Readable } from 'node:stream';
import { AppError } from '../errors.js';
import { type AzureTarget, type GivenAzureTarget, readAzureTarget } from './azure/azure-target.js';
import { blobErrors } from './blob-errors.js';
import { requireBucketName, requireObjectName } from './object-names.js';
import { type GivenS3Target, readS3Target, type S3Target } from './s3/s3-target.js';
import { readServiceAccount, type ServiceAccount } from './service-account.js';

/** The bucket and path of an object in Google Cloud Storage, and the account that reads or writes it. */
export interface GcsTarget {
  readonly bucket: string;
  readonly path: string;
  readonly serviceAccount: ServiceAccount;
}

/** An object, and the credentials that read or write it. */
export type BlobTarget = GcsTarget | S3Target | AzureTarget;

/** A target as a request names it. */
export type GivenBlobTarget = GivenGcsTarget | GivenS3Target | GivenAzureTarget;

/** `serviceaccountJson` is the base64 of the JSON file of a service account. */
export interface GivenGcsTarget {
  readonly bucket: string;
  readonly path: string;
  readonly serviceaccountJson: string;
}

export interface BlobWriteOptions {
  readonly contentType: string;
  /** Aborts the upload. The object is then not written. */
  readonly signal?: AbortSignal;
}

/** Objects in the buckets of one provider, as streams. Every failure is one of `blobErrors`. */
export interface TargetStore<Target> {
  /**
   * The bytes of an object, all from one generation of it. After a broken or stalled connection, the download
   * continues where it stopped. The stream ends without an error only if the checksum is that of the object.
   * @param signal ends the download with its reason, also before the first byte
   */
  open(target: Target, signal?: AbortSignal): Readable;
  /**
   * Writes an object, and replaces an existing one. The object appears when all of it has arrived. If
   * `content` fails, its error is thrown unchanged, and no object appears.
   */
  write(target: Target, content: Readable, options: BlobWriteOptions): Promise<void>;
}

/** Objects in buckets of every provider. */
export interface BlobStore extends TargetStore<BlobTarget> {
  /**
   * Checks that the host of a target may be asked. Opening and writing check it too.
   * @throws AppError `bucket.hostNotAllowed`
   */
  check(target: BlobTarget): void;
}

/**
 * Reads a target from a request.
 * @throws AppError `bucket.targetInvalid`, `bucket.serviceAccountInvalid`, `bucket.credentialsInvalid`
 */
export function readBlobTarget(given: GivenBlobTarget): BlobTarget {
  if ('container' in given) return readAzureTarget(given);
  if ('serviceaccountJson' in given) return readGcsTarget(given);
  return readS3Target(given);
}

/** @throws AppError `bucket.targetInvalid`, `bucket.serviceAccountInvalid` */
export function readGcsTarget({ bucket, path, serviceaccountJson }: GivenGcsTarget): GcsTarget {
  requireBucketName(bucket, 222);
  requireObjectName(path);
  const serviceAccount = readServiceAccount(serviceaccountJson);
  if (typeof serviceAccount === 'string') {
    throw new AppError(blobErrors.serviceAccountInvalid, { detail: `serviceaccountJson ${serviceAccount}` });
  }
  return { bucket, path, serviceAccount };
}
