import { Readable } from 'node:stream';
import { AppError } from '../errors.js';
import type { Logger } from '../logger.js';
import type { BlobStore, BlobTarget } from './blob-store.js';
import type { GcsTarget } from './gcs/gcs-target.js';
import { blobErrors } from './transfer/blob-errors.js';
import { createStorageHosts } from './transfer/storage-hosts.js';
import type { TargetStore } from './transfer/target-store.js';
import type { TransferLimits } from './transfer/transfer-limits.js';

/** The limits of a process. */
export const usualLimits: TransferLimits = {
  stallMs: 20_000,
  pauseMs: 500,
  attempts: 6,
  uploadChunk: 8 * 1024 * 1024,
};

/**
 * The stores of all providers. Each is loaded at its first use: a client library takes some tenths of a second of processor time, and
 * most processes never read or write an object.
 * @param endpoint another server with the JSON API of Google Cloud Storage
 * @param hosts hosts with the APIs of Amazon S3 and Azure Blob Storage, beside those of the providers
 * @param others further hosts of the operator, whose buckets {@link BlobStore.requirePublic} refuses
 * @param logger told when parts of an upload stay in a bucket
 * @param ca trusted certificates in the PEM format, instead of those of Node.js
 */
export function createLazyBlobStore({
  endpoint,
  hosts = [],
  others = [],
  ca,
  logger,
  ...given
}: Partial<TransferLimits> & {
  endpoint?: string;
  hosts?: readonly string[];
  others?: readonly string[];
  ca?: string | undefined;
  logger?: Pick<Logger, 'warn'>;
}): BlobStore {
  const limits = { ...usualLimits, ...given };
  const allowed = createStorageHosts(hosts, others);
  const transport = once(async () => {
    const { createStorageTransport } = await import('./transfer/storage-transport.js');
    return createStorageTransport({ hosts: allowed, stallMs: limits.stallMs, ca });
  });
  const gcs = once(async () => {
    const { createGcsBlobStore } = await import('./gcs/gcs-blob-store.js');
    return createGcsBlobStore({ ...limits, ...(endpoint !== undefined && { endpoint }) });
  });
  const s3 = once(async () => {
    const { createS3BlobStore } = await import('./s3/s3-blob-store.js');
    return createS3BlobStore({ transport: await transport(), limits, logger });
  });
  const azure = once(async () => {
    const { createAzureBlobStore } = await import('./azure/azure-blob-store.js');
    return createAzureBlobStore({ transport: await transport(), limits });
  });

  /** What works on the target, with the store of its provider. */
  async function on<T>(target: BlobTarget, work: <Target>(store: TargetStore<Target>, its: Target) => T) {
    if ('serviceAccount' in target) return work(await gcs(), target);
    if ('container' in target) return work(await azure(), target);
    return work(await s3(), target);
  }

  async function* read(target: BlobTarget, signal: AbortSignal | undefined): AsyncGenerator<Buffer> {
    yield* (await on(target, (store, its) => store.open(its, signal))) as AsyncIterable<Buffer>;
  }

  return {
    check(target) {
      if (!('serviceAccount' in target)) allowed.require(hostOf(target));
    },
    requirePublic(target) {
      if (!('serviceAccount' in target)) {
        const isInPath = 'bucket' in target && target.pathStyle;
        allowed.requirePublic(hostOf(target), isInPath ? target.bucket : undefined);
      } else if (endpoint !== undefined || allowed.isOperators({ provider: 'google', name: target.bucket })) {
        throw new AppError(blobErrors.operatorsOwn);
      }
    },
    open: (target, signal) =>
      Readable.from(read(target, signal), { objectMode: false, highWaterMark: 1024 * 1024 }),
    write: async (target, content, options) => on(target, (store, its) => store.write(its, content, options)),
  };
}

/** The host that a request about the target goes to. */
function hostOf(target: Exclude<BlobTarget, GcsTarget>): string {
  const { host } = new URL(target.endpoint);
  const isInHost = 'bucket' in target && !target.pathStyle;
  return isInHost ? `${target.bucket}.${host}` : host;
}

function once<T>(load: () => Promise<T>): () => Promise<T> {
  let loading: Promise<T> | undefined;
  return () => {
    loading ??= load();
    return loading;
  };
}
