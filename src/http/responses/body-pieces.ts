import { Readable } from 'node:stream';

/** The most bytes that a response hands to its socket at once. */
export const pieceBytes = 65_536;
/** A body of up to so many bytes is no stream: its response writes all pieces at once if the client takes them. */
export const atOnceBytes = 262_144;

/**
 * A long body that is in memory, as a stream. It lets each part go as soon as that part was taken, so that a client that reads half of a
 * response costs half of its memory.
 */
export class BodyPieces extends Readable {
  /** The length of the whole body. */
  readonly bytes: number;
  readonly #left: Buffer[];

  /** @param parts the body; the stream takes them out of the list */
  constructor(parts: Buffer[]) {
    super({ highWaterMark: pieceBytes });
    this.#left = parts.reverse();
    this.bytes = parts.reduce((sum, { length }) => sum + length, 0);
  }

  override _read(): void {
    const part = this.#left.pop();
    if (part === undefined) {
      this.push(null);
      return;
    }
    if (part.length > pieceBytes) this.#left.push(part.subarray(pieceBytes));
    // An empty part is no end.
    if (part.length === 0) this._read();
    else this.push(part.subarray(0, pieceBytes));
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#left.length = 0;
    done(error);
  }
}
