const lineFeed = 0x0a;

/** Counts the lines of a text that comes in chunks of any size. */
export class LineCounter {
  #line = 1;
  /** The place of the next line feed in the chunk. A record on a long line looks for it only once. */
  #next = 0;
  #chunk: Uint8Array = new Uint8Array();

  /** Begins the next chunk. */
  begin(chunk: Uint8Array): void {
    this.lineAt(this.#chunk.length);
    this.#chunk = chunk;
    this.#seek(0);
  }

  /** The line of a place of the chunk, from 1. Places must not decrease. */
  lineAt(at: number): number {
    while (this.#next < at) {
      this.#line += 1;
      this.#seek(this.#next + 1);
    }
    return this.#line;
  }

  #seek(from: number): void {
    const found = this.#chunk.indexOf(lineFeed, from);
    this.#next = found === -1 ? Number.POSITIVE_INFINITY : found;
  }
}
