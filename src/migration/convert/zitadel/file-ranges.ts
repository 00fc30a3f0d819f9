import { readSync } from 'node:fs';

const lineFeed = 0x0a;
const blockLength = 64 * 1024;

/** Reads parts of an open file whose places become ever later, and counts its lines. */
export class FileRanges {
  readonly #file: number;
  readonly #block = Buffer.allocUnsafe(blockLength);
  #line = 1;
  #countedTo = 0;

  constructor(file: number) {
    this.#file = file;
  }

  /** The text of a part. The file is UTF-8. */
  read({ start, end }: { readonly start: number; readonly end: number }): string {
    const bytes = Buffer.allocUnsafe(end - start);
    let held = 0;
    while (held < bytes.length) {
      const read = readSync(this.#file, bytes, held, bytes.length - held, start + held);
      if (read === 0) break;
      held += read;
    }
    return bytes.toString('utf8', 0, held);
  }

  /** The line of a place, counted from 1. The places must become ever later. */
  lineAt(place: number): number {
    while (this.#countedTo < place) {
      const most = Math.min(blockLength, place - this.#countedTo);
      const read = readSync(this.#file, this.#block, 0, most, this.#countedTo);
      if (read === 0) break;
      for (let at = 0; at < read; at++) if (this.#block[at] === lineFeed) this.#line += 1;
      this.#countedTo += read;
    }
    return this.#line;
  }
}
