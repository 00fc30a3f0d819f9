import { AppError } from '../../errors.js';
import { blobErrors } from './blob-errors.js';
import { placeOfHost, placesOf, type StoragePlace } from './storage-places.js';

/**
 * Hosts of Amazon S3, such as `s3.eu-central-1.amazonaws.com` and `bucket.s3.eu-central-1.amazonaws.com`, and of the accounts of Azure Blob
 * Storage. Nobody but the provider chooses where their names lead.
 */
const publicHosts = [
  /^(?:[a-z0-9][a-z0-9.-]{0,62}\.)?s3(?:-fips)?(?:\.dualstack)?(?:\.[a-z]{2}(?:-[a-z]{2,12}){1,3}-[0-9]{1,2})?\.amazonaws\.com(?:\.cn)?$/,
  /^[a-z0-9]{3,24}(?:-secondary)?(?:\.z[0-9]{2})?\.blob\.(?:core\.windows\.net|core\.chinacloudapi\.cn|core\.usgovcloudapi\.net|storage\.azure\.net)$/,
];

/** The hosts that buckets may be at. */
export interface StorageHosts {
  /** @param host such as `files.example.com:8443`. @throws AppError `bucket.hostNotAllowed` */
  require(host: string): void;
  /**
   * Requires a public host of a provider, and a bucket or an account that no listed host names, by whichever of its hosts. A listed one may
   * be reached by a private way, on which other rules count than for everybody else.
   * @param bucketInPath the bucket that the path of the address begins with
   * @throws AppError `bucket.operatorsOwn`, whatever is listed
   */
  requirePublic(host: string, bucketInPath?: string): void;
  /** Whether a bucket or an account is one that a listed host names. */
  isOperators(place: StoragePlace): boolean;
  /** Names of hosts that may have private addresses. */
  readonly privateNames: ReadonlySet<string>;
}

/**
 * @param listed hosts that the operator allows beside the public ones of the providers
 * @param others further hosts of the operator, which no target may have for that
 */
export function createStorageHosts(listed: readonly string[], others: readonly string[] = []): StorageHosts {
  const urlsOf = (hosts: readonly string[]) =>
    hosts.map((host) => `https://${host}`).filter((address) => URL.canParse(address));
  const urls = urlsOf(listed);
  const allowed = new Set(urls.map((address) => new URL(address).host));
  const privateNames = new Set(urls.map((address) => new URL(address).hostname));
  const isOperators = placesOf([...urls, ...urlsOf(others)].map((address) => new URL(address).hostname));
  return {
    isOperators,
    requirePublic(host, bucketInPath) {
      const place = publicHosts.some((pattern) => pattern.test(host)) ? placeOfHost(host) : undefined;
      if (place === undefined || isOperators({ ...place, name: place.name ?? bucketInPath }))
        throw new AppError(blobErrors.operatorsOwn);
    },
    require(host) {
      if (allowed.has(host) || publicHosts.some((pattern) => pattern.test(host))) return;
      throw new AppError(blobErrors.hostNotAllowed);
    },
    privateNames,
  };
}
