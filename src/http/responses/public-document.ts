import { createLru } from '#src/platform/lru.js';
import { gzipBytes } from './gzip-bytes.js';

/** Documents are compressed once, so the usual level is worth its time. */
const level = 6;

/** The most memory for documents of organizations, in bytes. */
const rememberedBytes = 16_777_216;

/**
 * A text that is the same for everybody who may read it. It is encoded once and compressed once. All its readers share these bytes, so a
 * thousand readers cost one copy. Send `plain`; the hooks know it and send the compressed form where the client takes it.
 */
export interface PublicDocument {
  readonly plain: Buffer;
  /** The compressed form. The first call makes it. */
  gzip(): Promise<Buffer>;
}

const documents = new WeakMap<Buffer, PublicDocument>();
const shared = new WeakSet<Buffer>();

export function publicDocument(text: string): PublicDocument {
  const plain = Buffer.from(text);
  let compressed: Promise<Buffer> | undefined;
  const document: PublicDocument = {
    plain,
    gzip() {
      compressed ??= gzipBytes(plain, level).then(share, (error: unknown) => {
        compressed = undefined;
        throw error;
      });
      return compressed;
    },
  };
  documents.set(share(plain), document);
  return document;
}

function share(bytes: Buffer): Buffer {
  shared.add(bytes);
  return bytes;
}

/** The document whose plain form this is. */
export const documentOf = (bytes: Buffer): PublicDocument | undefined => documents.get(bytes);

/** Whether all readers of these bytes share them. */
export const isShared = (bytes: Buffer): boolean => shared.has(bytes);

/**
 * Keeps documents of which there are many, such as the schemas of each organization.
 * @returns a function that returns the document of a key. It makes the text if it does not have it
 */
export function publicDocuments(): (key: string, text: () => string) => PublicDocument {
  const known = createLru<PublicDocument>({
    maxSize: rememberedBytes,
    // The compressed form takes at most about as much again.
    sizeCalculation: ({ plain }, key) => 2 * plain.length + key.length + 1,
  });
  return (key, text) => {
    const cached = known.get(key);
    if (cached !== undefined) return cached;
    const made = publicDocument(text());
    known.set(key, made);
    return made;
  };
}
