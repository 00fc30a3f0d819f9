import { BSON, type Document, type FindCursor } from 'mongodb';
import { eventLoop, type SlicedWork } from '../work/loop-scheduler.js';

/** How a read goes on between its batches, and while its documents are parsed. */
export interface ReadPace {
  /** The most documents of one batch, of so many that are wanted. */
  batchSize(wanted: number): number;
  /** Reads the next batch. */
  fetch<T>(next: () => Promise<T>): Promise<T>;
  /** Called with each batch that has arrived, before it is parsed. The batch is held in memory meanwhile. */
  arrived(batch: BatchSize): Promise<void> | undefined;
  /** Whether parsing has held the event loop long enough. */
  isDue(): boolean;
  /** Lets others use the event loop. */
  turn(): Promise<void>;
  /** Called before more is read. */
  stop(): void;
}

export interface BatchSize {
  readonly documents: number;
  readonly bytes: number;
}

/** A batch up to this size is parsed at once, within few milliseconds. In bytes. */
export const quickBytes = 262_144;

/** The same for small documents, which take longer for their size. In bytes. */
export const quickNames = 65_536;

/** The most bytes of documents that are handed on together, unless a single document has more. */
const portionBytes = 262_144;

/**
 * Reads documents in portions. A read with many bytes is parsed in slices, so that it never holds the event loop for long. Where the
 * reader stops early, the cursor is closed.
 * @param open makes the cursor of a find with these options. It must not be used otherwise
 */
export async function* readPortions<T extends Document>(
  open: OpenFind<T>,
  pace: ReadPace,
): AsyncGenerator<T[]> {
  for await (const { documents } of readSized(open, pace)) yield documents;
}

/** Makes the cursor of a find with these options. */
type OpenFind<T> = (options: { readonly raw: true }) => FindCursor<T> | Promise<FindCursor<T>>;

async function* readSized<T extends Document>(
  open: OpenFind<T>,
  pace: ReadPace,
): AsyncGenerator<{ documents: T[]; bytes: number }> {
  pace.stop();
  const cursor = await pace.fetch(async () => open({ raw: true }));
  try {
    while (await pace.fetch(() => cursor.hasNext())) {
      const batch = cursor.readBufferedDocuments() as unknown as Uint8Array[];
      await pace.arrived({ documents: batch.length, bytes: bytesOf(batch) });
      for (const portion of portionsOf(batch))
        yield { documents: await parseAll<T>(portion, pace), bytes: bytesOf(portion) };
      pace.stop();
    }
  } finally {
    pace.stop();
    close(cursor);
  }
}

/**
 * Reads all documents of a find, as `toArray` does, in slices if they are many bytes. Most reads find a few documents, and a generator would
 * cost them as much as their parsing.
 */
export async function readPaced<T extends Document>(open: OpenFind<T>, pace: ReadPace): Promise<T[]> {
  pace.stop();
  const found: T[] = [];
  const cursor = await pace.fetch(async () => open({ raw: true }));
  try {
    while (await pace.fetch(() => cursor.hasNext())) {
      const batch = cursor.readBufferedDocuments() as unknown as Uint8Array[];
      const slice = pace.arrived({ documents: batch.length, bytes: bytesOf(batch) });
      if (slice !== undefined) await slice;
      for (const raw of batch) {
        found.push(parse<T>(raw));
        if (pace.isDue()) await pace.turn();
      }
      pace.stop();
    }
    return found;
  } finally {
    pace.stop();
    close(cursor);
  }
}

/** The first documents of a find. */
interface ReadDocuments<T> {
  readonly documents: T[];
  readonly bytes: number;
  /** Whether it ends for the bytes, so that others may follow. */
  readonly isCut: boolean;
}

/** Like {@link readPaced}, but stops once the documents have more bytes than `most`. */
export async function readUpTo<T extends Document>(
  open: OpenFind<T>,
  pace: ReadPace,
  most: number,
): Promise<ReadDocuments<T>> {
  const found: T[] = [];
  let all = 0;
  for await (const { documents, bytes } of readSized(open, pace)) {
    all += bytes;
    for (const document of documents) found.push(document);
    if (all > most) return { documents: found, bytes: all, isCut: true };
  }
  return { documents: found, bytes: all, isCut: false };
}

/**
 * Reads the documents of several finds at once, if they are few bytes together.
 * @param most the most bytes. With more, it stops
 * @returns the documents of each find; undefined if they are more bytes
 */
export async function readFew<T extends Document>(
  finds: readonly ((options: { readonly raw: true }) => Promise<FindCursor<T>>)[],
  most: number,
  pace: ReadPace,
): Promise<T[][] | undefined> {
  const all = { documents: 0, bytes: 0 };
  const found = await Promise.all(
    finds.map(async (open) => {
      const raws: Uint8Array[] = [];
      const cursor = await open({ raw: true });
      while (all.bytes <= most && (await cursor.hasNext())) {
        const batch = cursor.readBufferedDocuments() as unknown as Uint8Array[];
        all.documents += batch.length;
        all.bytes += bytesOf(batch);
        for (const raw of batch) raws.push(raw);
      }
      close(cursor);
      return raws;
    }),
  );
  if (all.bytes > most) return undefined;
  await pace.arrived(all);
  const parsed: T[][] = [];
  for (const raws of found) parsed.push(await parseAll<T>(raws, pace));
  return parsed;
}

/** Takes the resources of a page in its order, while it is read. */
export interface PacedReader<R> {
  readonly pace: ReadPace;
  /** Returns how many of the resources it took. If it took fewer than all, the page ends before the first of the others. */
  take(resources: readonly R[]): Promise<number>;
}

/** What is left to say of a page whose resources a {@link PacedReader} took. */
export interface PageEnd<Document> {
  readonly taken: number;
  /** The last document that was taken. Absent if none was. */
  readonly last?: Document | undefined;
  /** Present if more documents follow. */
  readonly more?: true;
}

/** Hands the documents of a page to the reader. @param portions one document more than the limit tells that more follow */
export async function takePage<T, R>(
  portions: AsyncIterable<T[]>,
  reader: Pick<PacedReader<R>, 'take'>,
  { limit, toItem }: { limit: number; toItem: (document: T) => R },
): Promise<PageEnd<T>> {
  let taken = 0;
  let last: T | undefined;
  for await (const portion of portions) {
    const wanted = portion.slice(0, limit - taken);
    const count = wanted.length === 0 ? 0 : await reader.take(wanted.map(toItem));
    taken += count;
    if (count > 0) last = wanted[count - 1];
    if (count < portion.length) return { taken, last, more: true };
  }
  return { taken, last };
}

/**
 * A pace for reads that take no place. Batches with many bytes are parsed in slices.
 * @param holder whose share of the event loop the largest batches use. Absent for reads for several organizations
 * @param quick up to so many bytes, a batch is parsed at once. Smaller documents take longer for their size
 * @param noted called with each batch
 */
export function pacedBy(holder?: string, quick = quickBytes, noted?: (batch: BatchSize) => void): ReadPace {
  return new FreePace(holder, quick, noted);
}

/** A class, because most reads are small and need none of its slices. */
class FreePace implements ReadPace {
  readonly #holder: string | undefined;
  readonly #quick: number;
  readonly #noted: ((batch: BatchSize) => void) | undefined;
  /** Slices in no share, and those in the share of the holder. Each begins with the first batch that needs it. */
  #free: SlicedWork | undefined;
  #shared: SlicedWork | undefined;
  #work: SlicedWork | undefined;

  constructor(holder: string | undefined, quick: number, noted: ((batch: BatchSize) => void) | undefined) {
    this.#holder = holder;
    this.#quick = quick;
    this.#noted = noted;
  }

  isDue(): boolean {
    return this.#work?.isDue() === true;
  }

  turn(): Promise<void> {
    this.#work ??= this.#begin(false);
    return this.#work.turn();
  }

  stop(): void {
    this.#work?.stop();
  }

  batchSize(wanted: number): number {
    return wanted;
  }

  fetch<T>(next: () => Promise<T>): Promise<T> {
    return next();
  }

  arrived(batch: BatchSize): Promise<void> | undefined {
    this.#noted?.(batch);
    const { bytes } = batch;
    if (bytes <= this.#quick) return undefined;
    this.#work = this.#begin(bytes > quickBytes && this.#holder !== undefined);
    return this.#work.turn();
  }

  #begin(isShared: boolean): SlicedWork {
    if (!isShared) {
      this.#free ??= eventLoop.begin();
      return this.#free;
    }
    this.#shared ??= eventLoop.begin(this.#holder);
    return this.#shared;
  }
}

/** The reader need not wait for MongoDB to forget the cursor. */
function close(cursor: Pick<FindCursor, 'closed' | 'close'>): void {
  if (!cursor.closed) void cursor.close().catch(() => undefined);
}

function bytesOf(batch: readonly Uint8Array[]): number {
  let bytes = 0;
  for (const { length } of batch) bytes += length;
  return bytes;
}

function* portionsOf(batch: readonly Uint8Array[]): Generator<Uint8Array[]> {
  let portion: Uint8Array[] = [];
  let bytes = 0;
  for (const raw of batch) {
    if (portion.length > 0 && bytes + raw.length > portionBytes) {
      yield portion;
      portion = [];
      bytes = 0;
    }
    portion.push(raw);
    bytes += raw.length;
  }
  if (portion.length > 0) yield portion;
}

const parsing = { validation: { utf8: true } };

/** Parses a document as the driver does. */
const parse = <T extends Document>(raw: Uint8Array): T => BSON.deserialize(raw, parsing) as T;

async function parseAll<T extends Document>(raws: readonly Uint8Array[], pace: ReadPace): Promise<T[]> {
  const documents: T[] = [];
  for (const raw of raws) {
    documents.push(parse<T>(raw));
    if (pace.isDue()) await pace.turn();
  }
  return documents;
}
