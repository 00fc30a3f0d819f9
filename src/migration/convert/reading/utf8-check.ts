import { isUtf8 } from 'node:buffer';

const longestCharacter = 4;

/** Checks that a text is UTF-8. The text comes in chunks of any size. */
export class Utf8Check {
  /** The beginning of a character that continues in the next chunk. */
  #rest: Buffer = Buffer.alloc(0);

  /** Adds a chunk. @returns whether the text up to here can be UTF-8 */
  push(chunk: Uint8Array): boolean {
    const bytes =
      this.#rest.length > 0
        ? Buffer.concat([this.#rest, chunk])
        : Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length);
    const whole = bytes.length - unfinished(bytes);
    if (bytes.length - whole >= longestCharacter || !isUtf8(bytes.subarray(0, whole))) return false;
    this.#rest = Buffer.from(bytes.subarray(whole));
    return true;
  }

  /** Whether the text ends with a whole character. */
  end(): boolean {
    return this.#rest.length === 0;
  }
}

/** The number of bytes at the end that belong to an incomplete character. */
function unfinished(bytes: Buffer): number {
  for (let back = 1; back < longestCharacter && back <= bytes.length; back++) {
    const byte = bytes[bytes.length - back] as number;
    if (byte < 0x80) return 0;
    if (byte >= 0xc0) {
      const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
      return back < length ? back : 0;
    }
  }
  return 0;
}
