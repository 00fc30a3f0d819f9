import { ReadableStream } from 'node:stream/web';
import type { Output } from '../terminal/output.js';
import { framesOf, withMembers } from './import-file/body-of.js';
import { listOfLines } from './import-file/list-of-lines.js';
import { type ImportFile, readText } from './import-file/open-import-file.js';

const mebibyte = 2 ** 20;

/** Returns the bytes of an import body, and reports the progress. */
export function streamImport(file: ImportFile, output: Pick<Output, 'progress'>): ReadableStream<Uint8Array> {
  return ReadableStream.from(importBody(file, { output, label: 'sending' }));
}

/** Yields the text of an import body, whatever the shape of its file. @param to `label`: what the progress is called */
export async function* importBody(
  file: ImportFile,
  { output, label }: { output: Pick<Output, 'progress'>; label: string },
): AsyncGenerator<Buffer> {
  const { path, size, shape, added, markBytes } = file;
  const progress = output.progress(label);
  const total = Math.ceil(size / mebibyte);
  const onRead = (bytes: number) => {
    progress.show({ done: Math.ceil(bytes / mebibyte), total, unit: 'MiB' });
  };
  const text = without(readText(file, onRead), markBytes);
  const [before, behind] = framesOf(file);
  try {
    yield Buffer.from(before);
    if (shape === 'body') yield* withMembers(text, added);
    else if (shape === 'lines') yield* listOfLines(text, path);
    else yield* text;
    yield Buffer.from(behind);
  } finally {
    progress.end();
  }
}

/** The text without its first bytes, which are its byte order mark. */
async function* without(text: AsyncIterable<Buffer>, bytes: number): AsyncGenerator<Buffer> {
  let left = bytes;
  for await (const piece of text) {
    const skipped = Math.min(left, piece.length);
    left -= skipped;
    if (skipped < piece.length) yield piece.subarray(skipped);
  }
}
