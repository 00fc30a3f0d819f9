import { Binary, type Collection } from 'mongodb';
import type { Sealer } from '#src/keys/sealer.js';
import type { CollectionIndexes } from '#src/platform/mongo/indexes.js';
import type { Mongo, Transaction } from '#src/platform/mongo/mongo.js';

/** Writes one staged text, from its first byte to its last. */
export interface StagingWriter {
  /** Resolves when the writer can take more. The caller may then reuse the chunk. */
  write(chunk: Uint8Array): Promise<void>;
  /** Writes the rest. @returns the length of the text in bytes */
  finish(): Promise<number>;
  /** Stores a text that is shorter than a block in a transaction, which may be repeated. It takes the place of `finish`. */
  storeShort(transaction: Transaction): Promise<void>;
  /** The bytes of a text that is shorter than a block. */
  short(): Buffer;
  /** Resolves when nothing is being written any more. Call it before the text of a failed writer is removed. */
  settle(): Promise<void>;
}

/**
 * Texts of any size that jobs read or write. They are sealed, because they may hold password hashes. A text is stored in
 * blocks of 512 KiB, one document each, so that a worker can read any range of it.
 */
export interface StagingStore {
  /**
   * Begins a text. The caller gives it a new identifier. MongoDB removes the text soon after `expires`.
   * @param first called before the first block is stored by `write` or `finish`
   */
  writer(id: string, expires: Date, first?: () => Promise<void>): StagingWriter;
  /** The bytes from `start` up to `end`. @throws Error if some of them are gone */
  read(id: string, range: { readonly start: number; readonly end: number }): Promise<Buffer>;
  /** The bytes in blocks, in order. While the caller works on a block, the next one is fetched. */
  stream(id: string, range: { readonly start: number; readonly end: number }): AsyncGenerator<Buffer>;
  /** Whether a text that is not empty is still stored. */
  has(id: string): Promise<boolean>;
  remove(id: string, transaction?: Transaction): Promise<void>;
  /** Removes all texts whose identifiers begin with `{prefix}.`, except the text `keep`, which is one of them. */
  removeOthers(prefix: string, keep: string): Promise<void>;
}

interface BlockDocument {
  /** `{text}.{number}` */
  _id: string;
  data: Binary;
  expires: Date;
}

const blockBytes = 512 * 1024;
/** The number of blocks of one text that are written at once. */
const writesAtOnce = 3;

export const stagingIndexes: CollectionIndexes = {
  collection: 'stagedBlocks',
  indexes: [{ key: { expires: 1 }, expireAfterSeconds: 0 }],
};

/** Block identifiers sort in the order of the text. */
function blockId(id: string, number: number): string {
  return `${id}.${String(number).padStart(9, '0')}`;
}

export function createStagingStore(mongo: Mongo, sealer: Sealer): StagingStore {
  const blocks = mongo.collection<BlockDocument>('stagedBlocks');

  async function readBlock(id: string, number: number): Promise<Buffer> {
    const found = await blocks.findOne({ _id: blockId(id, number) }, { projection: { data: 1 } });
    const data = found === null ? undefined : sealer.unseal(Buffer.from(found.data.buffer));
    if (data === undefined) throw new Error(`Block ${number} of the staged text ${id} is gone`);
    return data;
  }

  return {
    writer: (id, expires, first) => openWriter({ blocks, sealer, id, expires, first }),

    async read(id, { start, end }) {
      const parts: Buffer[] = [];
      for await (const part of this.stream(id, { start, end })) parts.push(part);
      return parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts);
    },

    async *stream(id, { start, end }) {
      const last = Math.ceil(end / blockBytes) - 1;
      let number = Math.floor(start / blockBytes);
      let coming = number <= last ? readBlock(id, number) : undefined;
      while (coming !== undefined) {
        const data = await coming;
        const from = number * blockBytes;
        number += 1;
        coming = number <= last ? readBlock(id, number) : undefined;
        // If the caller stops reading, no code awaits this block. Its failure must not end the process.
        coming?.catch(() => undefined);
        yield data.subarray(Math.max(start - from, 0), Math.min(end - from, data.length));
      }
    },

    async has(id) {
      return (await blocks.findOne({ _id: blockId(id, 0) }, { projection: { _id: 1 } })) !== null;
    },

    async remove(id, transaction) {
      const options = transaction === undefined ? {} : { session: transaction };
      await blocks.deleteMany({ _id: { $gte: `${id}.`, $lt: `${id}/` } }, options);
    },

    async removeOthers(prefix, keep) {
      await blocks.deleteMany({ _id: { $gte: `${prefix}.`, $lt: `${keep}.` } });
      await blocks.deleteMany({ _id: { $gte: `${keep}/`, $lt: `${prefix}/` } });
    },
  };
}

interface NewText {
  readonly blocks: Collection<BlockDocument>;
  readonly sealer: Sealer;
  readonly id: string;
  readonly expires: Date;
  readonly first: (() => Promise<void>) | undefined;
}

/** The writer of a new text. It keeps the last bytes in memory until they fill a block. */
function openWriter({ blocks, sealer, id, expires, first }: NewText): StagingWriter {
  const pending = new Set<Promise<void>>();
  let failure: { error: unknown } | undefined;
  let block = Buffer.allocUnsafe(blockBytes);
  let filled = 0;
  let number = 0;

  const sealedBlock = (): BlockDocument => {
    const sealed = sealer.seal(block.subarray(0, filled));
    return { _id: blockId(id, number), data: new Binary(sealed), expires };
  };

  async function flush(): Promise<void> {
    if (number === 0) await first?.();
    const document = sealedBlock();
    number += 1;
    filled = 0;
    block = Buffer.allocUnsafe(blockBytes);
    const write = blocks
      .insertOne(document)
      .catch((error: unknown) => {
        failure ??= { error };
      })
      .then(() => void pending.delete(write));
    pending.add(write);
    if (pending.size >= writesAtOnce) await Promise.race(pending);
    if (failure !== undefined) throw failure.error;
  }

  return {
    async write(chunk) {
      for (let at = 0; at < chunk.length; ) {
        const taken = chunk.subarray(at, at + blockBytes - filled);
        block.set(taken, filled);
        filled += taken.length;
        at += taken.length;
        if (filled === blockBytes) await flush();
      }
    },
    async finish() {
      const length = number * blockBytes + filled;
      if (filled > 0) await flush();
      await Promise.all(pending);
      if (failure !== undefined) throw failure.error;
      return length;
    },
    async storeShort(transaction) {
      if (filled > 0) await blocks.insertOne(sealedBlock(), { session: transaction });
    },
    short: () => block.subarray(0, filled),
    settle: async () => void (await Promise.all(pending)),
  };
}
