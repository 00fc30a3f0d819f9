import { readFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { Config } from '#src/config.js';
import { readBlobTarget } from '#src/platform/blobs/blob-store.js';
import { createLazyBlobStore } from '#src/platform/blobs/lazy-blob-store.js';
import { AppError } from '#src/platform/errors.js';
import { type Finding, messageOf } from './finding.js';

/** The bucket that the person named. */
export interface BucketOptions {
  readonly bucket?: string | undefined;
  readonly path: string;
  readonly serviceAccount?: string | undefined;
}

const check = 'bucket';
const limitMs = 10_000;

const remedies: Record<string, string> = {
  'bucket.targetInvalid': 'Check --bucket and --path.',
  'bucket.serviceAccountInvalid': 'Give the JSON key file that Google Cloud made for the service account.',
  'bucket.credentialsRefused': 'Make a new key for the service account, and check the clock of this machine.',
  'bucket.permissionMissing':
    'Give the service account the role Storage Object User (roles/storage.objectUser) on the bucket.',
  'bucket.bucketMissing': 'Create the bucket, or check its name.',
};

/** Writes a small object to the bucket and reads it again. The object stays. */
export async function checkBucket(
  { bucket, path, serviceAccount }: BucketOptions,
  { storageEmulatorHost: endpoint }: Pick<Config, 'storageEmulatorHost'>,
): Promise<Finding[]> {
  if (bucket === undefined || serviceAccount === undefined) {
    const why =
      'Name one with --bucket and --service-account to check it. Only imports and exports use buckets';
    return [{ check, state: 'skipped', text: why }];
  }
  try {
    const account = await readFile(serviceAccount);
    const target = readBlobTarget({ bucket, path, serviceaccountJson: account.toString('base64') });
    const store = createLazyBlobStore({
      ...(endpoint !== '' && { endpoint }),
      attempts: 1,
      stallMs: limitMs,
    });
    const content = `Written by muster doctor at ${new Date().toISOString()}\n`;
    await store.write(target, Readable.from([content]), { contentType: 'text/plain' });
    if ((await text(store.open(target))) !== content) throw new Error('The object has another content');
    return [{ check, state: 'ok', text: `${path} was written to ${bucket} and read again` }];
  } catch (error) {
    const id = error instanceof AppError ? error.definition.id : '';
    return [
      {
        check,
        state: 'failed',
        text: messageOf(error),
        remedy: remedies[id] ?? 'Check that this machine reaches the storage.',
      },
    ];
  }
}
