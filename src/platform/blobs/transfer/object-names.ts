import { AppError } from '../../errors.js';
import { isDotSegment } from '../../path-segment.js';
import { blobErrors } from './blob-errors.js';

/** @throws AppError `bucket.targetInvalid` */
export function requireBucketName(bucket: string, maxLength: number): void {
  const isName = /^[a-z0-9][a-z0-9._-]+[a-z0-9]$/.test(bucket) && bucket.length <= maxLength;
  if (isName && !bucket.includes('..')) return;
  throw new AppError(blobErrors.targetInvalid, { detail: 'bucket is not the name of a bucket' });
}

/** @throws AppError `bucket.targetInvalid` */
export function requireObjectName(path: string): void {
  const isOdd = /[^\P{Cc}\u0080-\u009f]/u.test(path) || isDotSegment(path) || !path.isWellFormed();
  if (path !== '' && Buffer.byteLength(path) <= 1024 && !isOdd) return;
  throw new AppError(blobErrors.targetInvalid, { detail: 'path is not the name of an object' });
}

/**
 * Also refuses `.` and `..` between slashes. The client libraries put the path into an address as it is, and a proxy in front of the
 * storage may resolve them.
 * @throws AppError `bucket.targetInvalid`
 */
export function requirePlainPath(path: string): void {
  requireObjectName(path);
  if (!path.split('/').some(isDotSegment)) return;
  throw new AppError(blobErrors.targetInvalid, { detail: 'path has a part . or ..' });
}
