import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs';

/** A new file that only its owner may read, written in large blocks. */
export interface TextWriter {
  write(text: string): void;
  /** Comes back when the disk has all of it. */
  finish(): void;
  /** Closes it as it is; does nothing to one that is finished. */
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
