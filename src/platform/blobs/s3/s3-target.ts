import { AppError } from '../../errors.js';
import { blobErrors } from '../transfer/blob-errors.js';
import { requireBucketName, requirePlainPath } from '../transfer/object-names.js';
import { readEndpoint } from '../transfer/read-endpoint.js';

/** An object behind the protocol of Amazon S3, as a request names it. */
export interface GivenS3Target {
  readonly bucket: string;
  readonly path: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Belongs to temporary credentials. */
  readonly sessionToken?: string;
  /** May be absent if there is an endpoint. */
  readonly region?: string;
  /** `https://host:port` of a server that speaks the protocol. Without it, the object is at Amazon. */
  readonly endpoint?: string;
  /** Whether the bucket is in the path of addresses, not in their host. At an endpoint of its own it is, if not said otherwise. */
  readonly pathStyle?: boolean;
}

export interface S3Target {
  readonly bucket: string;
  readonly path: string;
  readonly region: string;
  /** `https://host:port`. */
  readonly endpoint: string;
  readonly pathStyle: boolean;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

/** Servers that know no regions take this name. */
const usualRegion = 'us-east-1';

/** @throws AppError `bucket.targetInvalid`, `bucket.credentialsInvalid` */
export function readS3Target(given: GivenS3Target): S3Target {
  const { bucket, path, region = usualRegion, accessKeyId, secretAccessKey, sessionToken } = given;
  requireBucketName(bucket, 63);
  requirePlainPath(path);
  const isOwn = given.endpoint !== undefined;
  if (!isOwn && !/^[a-z]{2}(?:-[a-z]{2,12}){1,3}-[0-9]{1,2}$/.test(given.region ?? '')) {
    throw new AppError(blobErrors.targetInvalid, { detail: 'region is not a region of Amazon, or absent' });
  }
  if (!/^[a-z0-9][a-z0-9-]{0,62}$/.test(region)) {
    throw new AppError(blobErrors.targetInvalid, { detail: 'region is not the name of a region' });
  }
  const url = isOwn ? readEndpoint(given.endpoint) : undefined;
  if (url !== undefined && url.pathname !== '/') {
    throw new AppError(blobErrors.targetInvalid, { detail: 'endpoint has a path' });
  }
  requireToken('accessKeyId', accessKeyId, 128);
  requireToken('secretAccessKey', secretAccessKey, 256);
  if (sessionToken !== undefined) requireToken('sessionToken', sessionToken, 8_192);
  return {
    bucket,
    path,
    region,
    endpoint: url?.origin ?? `https://s3.${region}.${domainOf(region)}`,
    // A certificate for all buckets is for names without dots.
    pathStyle: given.pathStyle ?? (isOwn || bucket.includes('.')),
    accessKeyId,
    secretAccessKey,
    ...(sessionToken !== undefined && { sessionToken }),
  };
}

function domainOf(region: string): string {
  return region.startsWith('cn-') ? 'amazonaws.com.cn' : 'amazonaws.com';
}

/** What may stand in a header. */
function requireToken(name: string, value: string, maxLength: number): void {
  if (/^[\x21-\x7e]+$/.test(value) && value.length <= maxLength) return;
  const detail = `${name} is not a text of at most ${maxLength} letters, digits and signs`;
  throw new AppError(blobErrors.credentialsInvalid, { detail });
}
