import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { expandsTooMuch, largestExpansion } from '#src/platform/expansion.js';
import { StartError } from '#src/platform/start-error.js';

export type Packing = 'gzip' | 'zstd';

/** Recognizes a compressed file by its first bytes: RFC 1952 section 2.3.1, RFC 8878 section 3.1.1. */
export function packingOf(beginning: Buffer): Packing | undefined {
  const hex = beginning.toString('hex', 0, 4);
  if (hex.startsWith('1f8b')) return 'gzip';
  return hex === '28b52ffd' ? 'zstd' : undefined;
}

/**
 * Yields the text of a compressed file. It holds a few blocks of it.
 * @param name of the file, for errors
 * @throws StartError if the file is not whole, or becomes more than 200 times as long
 */
export async function* unpacked(
  source: AsyncIterable<Buffer>,
  { packing, name }: { packing: Packing; name: string },
): AsyncGenerator<Buffer> {
  const packed = new CountedBytes(source);
  let made = 0;
  const unpack = packing === 'gzip' ? gunzipped : zstdText;
  for await (const chunk of unpack(packed, name)) {
    made += chunk.length;
    if (expandsTooMuch(packed.taken, made)) {
      const detail = 'Unpack it yourself, if you trust it';
      throw new StartError(`${name} becomes more than ${largestExpansion} times as long. ${detail}`);
    }
    yield chunk;
  }
}

/** Counts the bytes that were taken from a source. */
class CountedBytes implements AsyncIterable<Buffer> {
  readonly #source: AsyncIterable<Buffer>;
  taken = 0;

  constructor(source: AsyncIterable<Buffer>) {
    this.#source = source;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Buffer> {
    for await (const chunk of this.#source) {
      this.taken += chunk.length;
      yield chunk;
    }
  }
}

async function* gunzipped(source: CountedBytes, name: string): AsyncGenerator<Buffer> {
  const gunzip = createGunzip();
  let isCut = false;
  const fed = pipeline(source, gunzip).catch(() => {
    isCut = true;
  });
  try {
    for await (const chunk of gunzip) yield chunk;
  } catch (error) {
    // Another error is one of the source, which the pipeline passes on.
    const isOfText = error instanceof Error && 'code' in error && String(error.code).startsWith('Z_');
    throw isOfText ? new StartError(`${name} is not a whole gzip file`) : error;
  }
  await fed;
  // Gunzip takes zeros for the end, and reads nothing behind them.
  if (isCut || gunzip.bytesWritten < source.taken) {
    throw new StartError(`${name} goes on after the end of the gzip text`);
  }
}

/** zstd refuses a file that needs more memory. Every level needs less, but `--long=28` and above need more. */
const memory = '128MB';

/** Node.js 20 cannot read zstd, and no package verifies its checksums. The program `zstd` does, as `tar --zstd` calls it. */
async function* zstdText(source: AsyncIterable<Buffer>, name: string): AsyncGenerator<Buffer> {
  const program = spawn('zstd', ['-dcq', `--memory=${memory}`], { stdio: ['pipe', 'pipe', 'ignore'] });
  const ended = once(program, 'close').catch(() => [-1]);
  try {
    await once(program, 'spawn');
  } catch {
    throw new StartError(
      `${name} is compressed with zstd. Install the program zstd, or unpack the file first`,
    );
  }
  let failure: unknown;
  // If the program ends first, its exit code says why.
  const fed = pipeline(source, program.stdin).catch((error: unknown) => {
    if (error instanceof StartError) failure = error;
  });
  try {
    yield* program.stdout as AsyncIterable<Buffer>;
    const [code] = await ended;
    await fed;
    if (failure !== undefined) throw failure;
    if (code !== 0) {
      throw new StartError(
        `${name} is not a whole zstd file, or needs more than ${memory} of memory to unpack`,
      );
    }
  } finally {
    program.kill();
  }
}
