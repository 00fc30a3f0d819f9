import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { AppError } from '../../errors.js';
import { expandsTooMuch } from '../../expansion.js';
import { blobErrors } from './blob-errors.js';
import { pauseAfter, type ToFault, TransientFault, withRetries } from './storage-faults.js';
import type { TransferLimits } from './transfer-limits.js';

/** An object at the beginning of its download. */
export interface StoredObject {
  /** Bytes as they are stored. */
  readonly size: number;
  /** Whether it is stored with the content encoding gzip. */
  readonly compressed: boolean;
  /** Some servers compute none. */
  readonly checksum?: Checksum | undefined;
}

/** A checksum over the stored bytes, and the one that the storage names. */
export interface Checksum {
  update(chunk: Buffer): void;
  matches(): boolean;
}

/** An object of a storage. */
export interface ObjectSource<T extends StoredObject> {
  /**
   * Opens the object, or its rest.
   * @param start the first byte
   * @param object what the first call found. The bytes are of the same generation of the object
   * @param signal ends the request and the body
   */
  open(
    start: number,
    object: T | undefined,
    signal: AbortSignal | undefined,
  ): Promise<{ readonly object: T; readonly body: Readable }>;
  readonly toFault: ToFault;
}

/** A connection that breaks after fewer bytes, or brings fewer in {@link TransferLimits.stallMs}, made no progress. */
const leastBytes = 65_536;

/**
 * Downloads an object over as many connections as needed. It unpacks an object that is stored with the content encoding gzip.
 * @param signal ends the download with its reason
 * @throws AppError `bucket.expandsTooMuch`, `bucket.checksumMismatch`, `bucket.truncated`, `bucket.tooSlow`, and those of the source
 */
export function downloadResumed<T extends StoredObject>(
  source: ObjectSource<T>,
  limits: TransferLimits,
  signal?: AbortSignal,
): Readable {
  return Readable.from(read(source, limits, signal), { objectMode: false, highWaterMark: 1024 * 1024 });
}

async function* read<T extends StoredObject>(
  source: ObjectSource<T>,
  limits: TransferLimits,
  signal: AbortSignal | undefined,
): AsyncGenerator<Buffer> {
  const { toFault } = source;
  const first = await withRetries(() => source.open(0, undefined, signal), { limits, toFault, signal });
  const stored = readStored(source, first, { limits, signal });
  if (first.object.compressed) yield* unpack(stored, signal);
  else yield* stored;
}

async function* unpack(
  stored: AsyncIterable<Buffer>,
  signal: AbortSignal | undefined,
): AsyncGenerator<Buffer> {
  let taken = 0;
  let made = 0;
  async function* counted() {
    for await (const chunk of stored) {
      taken += chunk.length;
      yield chunk;
    }
  }
  const source = Readable.from(counted(), { objectMode: false });
  const unpacked = createGunzip();
  source.on('error', (error) => unpacked.destroy(error));
  source.pipe(unpacked);
  try {
    for await (const chunk of unpacked as AsyncIterable<Buffer>) {
      made += chunk.length;
      if (expandsTooMuch(taken, made)) throw new AppError(blobErrors.expandsTooMuch);
      yield chunk;
    }
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof AppError) throw error;
    throw new AppError(blobErrors.transferFailed, {
      detail: 'The object is not the gzip that it says it is',
    });
  } finally {
    source.destroy();
  }
}

/** The stored bytes. */
async function* readStored<T extends StoredObject>(
  source: ObjectSource<T>,
  first: { readonly object: T; readonly body: Readable },
  { limits, signal }: { limits: TransferLimits; signal: AbortSignal | undefined },
): AsyncGenerator<Buffer> {
  const { object } = first;
  let body: Readable | undefined = first.body;
  let received = 0;
  let failures = 0;
  for (;;) {
    const before = received;
    let fault: TransientFault | undefined;
    try {
      signal?.throwIfAborted();
      body ??= (await source.open(received, object, signal)).body;
      for await (const chunk of withoutStalls(body, limits.stallMs)) {
        object.checksum?.update(chunk);
        received += chunk.length;
        if (received > object.size) throw new AppError(blobErrors.checksumMismatch);
        yield chunk;
      }
    } catch (error) {
      signal?.throwIfAborted();
      const found = error instanceof TransientFault ? error : source.toFault(error);
      if (found instanceof AppError) throw found;
      fault = found;
    } finally {
      body?.destroy();
    }
    body = undefined;
    if (received === object.size) break;
    failures = received - before >= leastBytes ? 1 : failures + 1;
    if (failures >= limits.attempts) throw fault?.outcome ?? new AppError(blobErrors.truncated);
    await pauseAfter(failures, limits, signal);
  }
  if (object.checksum?.matches() === false) throw new AppError(blobErrors.checksumMismatch);
}

/** Fails when too few bytes come. The time in which the reader is slow does not count. */
async function* withoutStalls(stream: Readable, stallMs: number): AsyncGenerator<Buffer> {
  const chunks = stream[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  let waited = 0;
  let brought = 0;
  for (;;) {
    const began = performance.now();
    const timer = setTimeout(() => stream.destroy(stalls()), stallMs);
    try {
      const { done, value } = await chunks.next();
      if (done) return;
      clearTimeout(timer);
      waited += performance.now() - began;
      brought += value.length;
      yield value;
    } finally {
      clearTimeout(timer);
    }
    if (brought >= leastBytes) [waited, brought] = [0, 0];
    else if (waited > stallMs) throw stalls();
  }
}

function stalls(): TransientFault {
  return new TransientFault(new AppError(blobErrors.tooSlow));
}
