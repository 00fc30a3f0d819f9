import { toCamelCase } from '#src/platform/json/camel-case.js';

const quote = 0x22;
const backslash = 0x5c;
/** No key that means anything is longer. */
const keyBytes = 256;

/** Reads one key of an object in chunks of any size. */
export class KeyScanner {
  #bytes: number[] = [];
  #isEscaped = false;
  #isOpen = false;

  /** Whether a key goes on in the next byte. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Begins a key, behind its opening quote. */
  begin(): void {
    this.#bytes = [];
    this.#isOpen = true;
  }

  /**
   * Scans on.
   * @returns the place of the closing quote; -1 when the key goes on in the next chunk, -2 when it is too long
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
      if (this.#bytes.length > keyBytes) return -2;
    }
    return -1;
  }

  /** The key in lowerCamelCase; undefined when it is no string of JSON. */
  key(): string | undefined {
    try {
      return toCamelCase(String(JSON.parse(`"${Buffer.from(this.#bytes).toString()}"`)));
    } catch {
      return undefined;
    }
  }
}
