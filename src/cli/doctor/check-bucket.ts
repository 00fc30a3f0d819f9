import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { Config } from '#src/config.js';
import { readBlobTarget } from '#src/platform/blobs/blob-store.js';
import { createLazyBlobStore } from '#src/platform/blobs/lazy-blob-store.js';
import { AppError } from '#src/platform/errors.js';
import { StartError } from '#src/platform/start-error.js';
import { type BucketOptions, type Provider, readTarget } from '../storage/read-target.js';
import { type Finding, messageOf } from './finding.js';

const check = 'bucket';
const limitMs = 10_000;

const remedies: Readonly<Record<string, string>> = {
  'bucket.targetInvalid': 'Check --bucket, --path, and the region, endpoint or account of --storage.',
  'bucket.serviceAccountInvalid': 'Give the JSON key file that Google Cloud made for the service account.',
  'bucket.credentialsInvalid': 'Check the credentials in the file of --storage.',
  'bucket.credentialsRefused': 'Make new credentials, and check the clock of this machine.',
  'bucket.bucketMissing': 'Create the bucket, or check its name.',
  'bucket.hostNotAllowed': 'Add the host to MUSTER_BUCKET_HOSTS, also for the API processes and the workers.',
  'bucket.hostUnknown': 'Check the region, the endpoint or the account of --storage.',
  'bucket.hostUntrusted': 'Name the certificates of its authority with NODE_EXTRA_CA_CERTS.',
  'bucket.redirected': 'Check the region and the endpoint of --storage.',
};

/** What the credentials of each provider must be allowed. */
const permissions: Readonly<Record<Provider, string>> = {
  gcs: 'Give the service account the role Storage Object User (roles/storage.objectUser) on the bucket.',
  s3: 'Allow s3:GetObject, s3:PutObject and s3:AbortMultipartUpload on the objects of the bucket.',
  azure: 'Give the shared access signature the permissions r, c and w, or take a key of the account.',
};

type BucketSettings = Pick<Config, 'storageEmulatorHost' | 'bucketHosts'> & {
  /** Trusted certificates in the PEM format, instead of those of Node.js. */
  readonly ca?: string;
};

/** Writes a small object to the bucket and reads it again. The object stays. */
export async function checkBucket(
  { bucket, ...options }: BucketOptions,
  { storageEmulatorHost: endpoint, bucketHosts, ca }: BucketSettings,
): Promise<Finding[]> {
  if (bucket === undefined || (options.storage ?? options.serviceAccount) === undefined) {
    const why = 'Name one with --bucket and --storage to check it. Only imports and exports use buckets';
    return [{ check, state: 'skipped', text: why }];
  }
  let provider: Provider = 'gcs';
  try {
    const named = await readTarget({ bucket, ...options });
    provider = named.provider;
    const target = readBlobTarget(named.target);
    const store = createLazyBlobStore({
      ...(endpoint !== '' && { endpoint }),
      hosts: bucketHosts === '' ? [] : bucketHosts.split(/, */),
      ca,
      attempts: 1,
      stallMs: limitMs,
    });
    const content = `Written by muster doctor at ${new Date().toISOString()}\n`;
    await store.write(target, Readable.from([content]), { contentType: 'text/plain' });
    if ((await text(store.open(target))) !== content) throw new Error('The object has another content');
    return [{ check, state: 'ok', text: `${options.path} was written to ${bucket} and read again` }];
  } catch (error) {
    return [{ check, state: 'failed', text: messageOf(error), remedy: remedyOf(error, provider) }];
  }
}

function remedyOf(error: unknown, provider: Provider): string {
  const id = error instanceof AppError ? error.definition.id : '';
  if (error instanceof StartError) return 'Check the file of --storage.';
  if (id === 'bucket.permissionMissing') return permissions[provider];
  return remedies[id] ?? 'Check that this machine reaches the storage.';
}
