import { closeSync, openSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { withInputText } from '../../text/input-text.js';

/**
 * Returns the path of a file with the text of an input. It is the input itself if its records can be read by their places. A pipe, or a text
 * that is compressed or in UTF-16, is written into the folder, which only its owner may read.
 * @throws StartError when the input cannot be read; the reason of the signal when it aborts
 */
export function plainFile(path: string, folder: string, signal: AbortSignal | undefined): Promise<string> {
  return withInputText({ path, signal }, async (text) => {
    if (text.isPlain && statSync(path).isFile()) return path;
    const target = join(folder, 'input');
    const file = openSync(target, 'wx', 0o600);
    try {
      for await (const block of text.blocks(signal)) {
        for (let written = 0; written < block.length; ) written += writeSync(file, block, written);
      }
    } finally {
      closeSync(file);
    }
    return target;
  });
}
