import { createReadStream, statSync } from 'node:fs';
import { ReadableStream } from 'node:stream/web';
import { StartError } from '#src/platform/start-error.js';
import type { Output } from '../terminal/output.js';

const openBrace = 0x7b;
const mebibyte = 2 ** 20;

/** A file that is sent as the body of an import. */
export interface ImportFile {
  readonly path: string;
  readonly size: number;
  /** Flags of the import that are added to the document as its first members. */
  readonly flags: readonly ('dryRun' | 'strict')[];
}

/** The size and the time of a file that is to be sent. @throws StartError if there is none */
export function importFileAt(path: string): { size: number; mtimeMs: number } {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats?.isFile()) throw new StartError(`${path} is no file`);
  return stats;
}

/** Returns the bytes of an import body, and reports the progress. */
export function streamImport(file: ImportFile, output: Pick<Output, 'progress'>): ReadableStream<Uint8Array> {
  return ReadableStream.from(pieces(file, output));
}

async function* pieces({ path, size, flags }: ImportFile, output: Pick<Output, 'progress'>) {
  const progress = output.progress('sending');
  let done = 0;
  let marked = flags.length === 0;
  try {
    for await (const piece of createReadStream(path, { highWaterMark: 256 * 1024 })) {
      if (!Buffer.isBuffer(piece)) continue;
      const at = marked ? -1 : piece.indexOf(openBrace);
      if (at >= 0) {
        marked = true;
        yield piece.subarray(0, at + 1);
        yield Buffer.from(flags.map((flag) => `"${flag}":true,`).join(''));
      }
      yield piece.subarray(at + 1);
      done += piece.length;
      progress.show({ done: Math.ceil(done / mebibyte), total: Math.ceil(size / mebibyte), unit: 'MiB' });
    }
  } finally {
    progress.end();
  }
  if (!marked) throw new StartError(`${path} is no JSON object`);
}
