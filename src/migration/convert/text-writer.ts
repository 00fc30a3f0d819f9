import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs';

/** Writes a new file in large blocks. Only its owner may read the file. */
export interface TextWriter {
  write(text: string): void;
  /** Writes the rest to the disk, and returns when the disk has everything. */
  finish(): void;
  /** Closes the file as it is. Does nothing after {@link finish}. */
  abandon(): void;
}

const blockLength = 512 * 1024;

export function createTextWriter(path: string): TextWriter {
  let file: number | undefined = openSync(path, 'wx', 0o600);
  let waiting = '';

  function flush(): void {
    const block = Buffer.from(waiting);
    waiting = '';
    for (let written = 0; written < block.length; ) {
      written += writeSync(file ?? -1, block, written);
    }
  }

  return {
    write(text) {
      waiting += text;
      if (waiting.length >= blockLength) flush();
    },
    finish() {
      if (file === undefined) return;
      flush();
      fsyncSync(file);
      closeSync(file);
      file = undefined;
    },
    abandon() {
      if (file !== undefined) closeSync(file);
      file = undefined;
    },
  };
}
