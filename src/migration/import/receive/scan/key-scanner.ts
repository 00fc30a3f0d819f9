import { isUtf8 } from 'node:buffer';
import { toCamelCase } from '#src/platform/json/camel-case.js';
import { continues } from '#src/platform/json/value-scanner.js';

const quote = 0x22;
const backslash = 0x5c;
/** Longer than any key that an import reads. */
const maxKeyBytes = 256;

/** Returned by {@link KeyScanner.scan} for a key of more than 256 bytes. */
export const tooLong = -2;

/** Reads one key of an object in chunks of any size. */
export class KeyScanner {
  #bytes: number[] = [];
  #isEscaped = false;
  #isOpen = false;

  /** Whether the next byte belongs to a key. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Begins a key. Its opening quote was read. */
  begin(): void {
    this.#bytes = [];
    this.#isOpen = true;
  }

  /**
   * Scans the chunk from this place on.
   * @returns the place of the closing quote, `continues` when the key continues in the next chunk, or {@link tooLong}
   */
  scan(chunk: Uint8Array, from: number): number {
    for (let at = from; at < chunk.length; at++) {
      const byte = chunk[at] as number;
      if (byte === quote && !this.#isEscaped) {
        this.#isOpen = false;
        return at;
      }
      this.#isEscaped = byte === backslash && !this.#isEscaped;
      this.#bytes.push(byte);
      if (this.#bytes.length > maxKeyBytes) return tooLong;
    }
    return continues;
  }

  /** The key in lowerCamelCase; undefined when it is no JSON string, or not UTF-8. */
  key(): string | undefined {
    const bytes = Buffer.from(this.#bytes);
    if (!isUtf8(bytes)) return undefined;
    try {
      return toCamelCase(String(JSON.parse(`"${bytes.toString()}"`)));
    } catch {
      return undefined;
    }
  }
}
