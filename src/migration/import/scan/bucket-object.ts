import { type BlobTarget, readBlobTarget } from '#src/platform/blobs/blob-store.js';
import { withCamelCaseKeys } from '#src/platform/json/camel-case.js';
import { isJsonObject } from '#src/platform/json/json-object.js';

/** The object of a bucket that an import reads, as the client gives it. It is stored sealed, as the body of the job. */
export type BucketObject = Parameters<typeof readBlobTarget>[0];

/** Reads `{ path, bucket, serviceaccount_json }`. Returns undefined for a value of any other shape. */
export function toBucketObject(value: unknown): BucketObject | undefined {
  const given = withCamelCaseKeys(value);
  if (!isJsonObject(given)) return undefined;
  const { bucket, path, serviceaccountJson, ...more } = given;
  const isWhole =
    typeof bucket === 'string' && typeof path === 'string' && typeof serviceaccountJson === 'string';
  return isWhole && Object.keys(more).length === 0 ? { bucket, path, serviceaccountJson } : undefined;
}

/** Returns the body of a job whose data lies in a bucket. */
export function writeBucketObject(object: BucketObject): Buffer {
  return Buffer.from(JSON.stringify(object));
}

/**
 * Reads what {@link writeBucketObject} wrote.
 * @throws AppError `bucket.targetInvalid`, `bucket.serviceAccountInvalid`
 */
export function readBucketTarget(body: Buffer): BlobTarget {
  const object = toBucketObject(JSON.parse(body.toString()));
  if (object === undefined) throw new Error('The body of the import job names no bucket');
  return readBlobTarget(object);
}
