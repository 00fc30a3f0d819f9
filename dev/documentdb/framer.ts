/**
 * Cuts a byte stream into length-prefixed messages. A message within one chunk is passed on without a copy. A message
 * that spans chunks is assembled once, when its last byte has arrived.
 */
export class Framer {
  readonly #headerSize: number;
  readonly #lengthOf: (bytes: Buffer, offset: number) => number;
  readonly #onMessage: (message: Buffer) => void;
  #chunks: Buffer[] = [];
  #held = 0;
  #needed: number;

  constructor(
    headerSize: number,
    lengthOf: (bytes: Buffer, offset: number) => number,
    onMessage: (message: Buffer) => void,
  ) {
    this.#headerSize = headerSize;
    this.#lengthOf = lengthOf;
    this.#onMessage = onMessage;
    this.#needed = headerSize;
  }

  /** Takes the next chunk and calls back for each message that the chunk completes. */
  push(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#held += chunk.length;
    if (this.#held < this.#needed) {
      return;
    }
    const bytes = this.#chunks.length === 1 ? chunk : Buffer.concat(this.#chunks, this.#held);
    let offset = 0;
    let needed = this.#headerSize;
    while (bytes.length - offset >= this.#headerSize) {
      needed = this.#lengthOf(bytes, offset);
      if (bytes.length - offset < needed) {
        break;
      }
      this.#onMessage(bytes.subarray(offset, offset + needed));
      offset += needed;
      needed = this.#headerSize;
    }
    this.#held = bytes.length - offset;
    this.#chunks = this.#held === 0 ? [] : [bytes.subarray(offset)];
    this.#needed = needed;
  }
}
