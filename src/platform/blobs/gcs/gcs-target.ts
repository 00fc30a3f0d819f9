import { AppError } from '../../errors.js';
import { blobErrors } from '../transfer/blob-errors.js';
import { requireBucketName, requirePlainPath } from '../transfer/object-names.js';
import { readServiceAccount, type ServiceAccount } from './service-account.js';

/** The bucket and path of an object in Google Cloud Storage, and the account that reads or writes it. */
export interface GcsTarget {
  readonly bucket: string;
  readonly path: string;
  readonly serviceAccount: ServiceAccount;
}

/** `serviceaccountJson` is the base64 of the JSON file of a service account. */
export interface GivenGcsTarget {
  readonly bucket: string;
  readonly path: string;
  readonly serviceaccountJson: string;
}

/** @throws AppError `bucket.targetInvalid`, `bucket.serviceAccountInvalid` */
export function readGcsTarget({ bucket, path, serviceaccountJson }: GivenGcsTarget): GcsTarget {
  requireBucketName(bucket, 222);
  requirePlainPath(path);
  const serviceAccount = readServiceAccount(serviceaccountJson);
  if (typeof serviceAccount === 'string') {
    throw new AppError(blobErrors.serviceAccountInvalid, { detail: `serviceaccountJson ${serviceAccount}` });
  }
  return { bucket, path, serviceAccount };
}
