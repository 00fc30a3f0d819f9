import { type AzureTarget, type GivenAzureTarget, readAzureTarget } from './azure/azure-target.js';
import { type GcsTarget, type GivenGcsTarget, readGcsTarget } from './gcs/gcs-target.js';
import { type GivenS3Target, readS3Target, type S3Target } from './s3/s3-target.js';
import type { TargetStore } from './transfer/target-store.js';

/** An object, and the credentials that read or write it. */
export type BlobTarget = GcsTarget | S3Target | AzureTarget;

/** A target as a request names it. */
export type GivenBlobTarget = GivenGcsTarget | GivenS3Target | GivenAzureTarget;

/** Objects in buckets of every provider. */
export interface BlobStore extends TargetStore<BlobTarget> {
  /**
   * Checks that the host of a target may be asked. Opening and writing check it too.
   * @throws AppError `bucket.hostNotAllowed`
   */
  check(target: BlobTarget): void;
  /**
   * Checks that a target lies where everybody with its credentials could reach it. A server of the operator's own may take requests
   * without credentials, or because they come from here.
   * @throws AppError `bucket.operatorsOwn`
   */
  requirePublic(target: BlobTarget): void;
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
