import { Readable } from 'node:stream';
import type { BlobStore, BlobTarget } from './blob-store.js';
import type { createGcsBlobStore } from './gcs-blob-store.js';

/**
 * The store of `gcs-blob-store`, which is loaded at the first use. Its library takes 0.3 s of processor time to load, and
 * most processes never read or write an object.
 */
export function createLazyBlobStore(options: Parameters<typeof createGcsBlobStore>[0]): BlobStore {
  let loading: Promise<BlobStore> | undefined;
  const load = () => {
    loading ??= import('./gcs-blob-store.js').then((loaded) => loaded.createGcsBlobStore(options));
    return loading;
  };
  async function* read(target: BlobTarget): AsyncGenerator<Buffer> {
    yield* (await load()).open(target) as AsyncIterable<Buffer>;
  }
  return {
    open: (target) => Readable.from(read(target), { objectMode: false, highWaterMark: 1024 * 1024 }),
    write: async (target, content, options) => (await load()).write(target, content, options),
  };
}
