import { type BlobTarget, readBlobTarget } from '#src/platform/blobs/blob-store.js';
import { withCamelCaseKeys } from '#src/platform/json/camel-case.js';
import { isJsonObject } from '#src/platform/json/json-object.js';

/** Where an object lies, as clients give it; the whole is staged sealed with the job. */
export type BucketObject = Parameters<typeof readBlobTarget>[0];

/** Reads `{ path, bucket, serviceaccount_json }`; undefined when it is of another shape. */
export function toBucketObject(value: unknown): BucketObject | undefined {
  const given = withCamelCaseKeys(value);
  if (!isJsonObject(given)) return undefined;
  const { bucket, path, serviceaccountJson, ...more } = given;
  const isWhole =
    typeof bucket === 'string' && typeof path === 'string' && typeof serviceaccountJson === 'string';
  return isWhole && Object.keys(more).length === 0 ? { bucket, path, serviceaccountJson } : undefined;
}

export function writeBucketObject(source: BucketObject): Buffer {
  return Buffer.from(JSON.stringify(source));
}

/** @throws AppError `bucket.targetInvalid`, `bucket.serviceAccountInvalid` */
export function readBucketTarget(body: Buffer): BlobTarget {
  const source = toBucketObject(JSON.parse(body.toString()));
  if (source === undefined) throw new Error('The staged source of the import cannot be read');
  return readBlobTarget(source);
}
