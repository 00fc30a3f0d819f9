import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs';

/** Writes a new file in large blocks. Only its owner may read the file. */
export interface TextWriter {
  write(text: string): void;
  /** Writes the rest to the disk, and returns when the disk has everything. */
  finish(): void;
  /** Closes the file as it is. Does nothing after {@link finish}. */
  abandon(): void;
}

const blockLength = 1024 * 1024;
/** No character of a text takes more bytes in UTF-8. */
const mostBytes = 3;

export function createTextWriter(path: string): TextWriter {
  let file: number | undefined = openSync(path, 'wx', 0o600);
  const block = Buffer.allocUnsafe(blockLength);
  let used = 0;

  function writeAll(bytes: Uint8Array): void {
    for (let written = 0; written < bytes.length; ) written += writeSync(file ?? -1, bytes, written);
  }

  function flush(): void {
    writeAll(block.subarray(0, used));
    used = 0;
  }

  return {
    write(text) {
      if (used + mostBytes * text.length > blockLength) flush();
      if (mostBytes * text.length > blockLength) writeAll(Buffer.from(text));
      else used += block.write(text, used);
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
