import type { Readable } from 'node:stream';

/**
 * The content in parts of a size, to be sent one by one. The last one may be shorter.
 * @param signal ends the content with its reason
 * @throws the error of the content, unchanged
 */
export async function* partsOf(
  content: Readable,
  size: number,
  signal?: AbortSignal,
): AsyncGenerator<Buffer> {
  const stop = () => content.destroy(signal?.reason);
  signal?.addEventListener('abort', stop, { once: true });
  try {
    signal?.throwIfAborted();
    let gathered: Buffer[] = [];
    let length = 0;
    for await (const given of content) {
      let chunk = Buffer.from(given);
      while (length + chunk.length >= size) {
        gathered.push(chunk.subarray(0, size - length));
        chunk = chunk.subarray(size - length);
        yield Buffer.concat(gathered, size);
        [gathered, length] = [[], 0];
      }
      if (chunk.length === 0) continue;
      gathered.push(chunk);
      length += chunk.length;
    }
    if (length > 0) yield Buffer.concat(gathered, length);
  } finally {
    signal?.removeEventListener('abort', stop);
    content.destroy();
  }
}
