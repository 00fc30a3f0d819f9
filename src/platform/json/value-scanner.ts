const quote = 0x22;
const backslash = 0x5c;
/** `{` and `[`, `}` and `]` differ in this bit alone. */
const braceBit = 0x20;
const open = 0x7b;
const close = 0x7d;
const comma = 0x2c;

/** Brackets whose kind is remembered; below that only their number, for records that are refused anyway. */
const rememberedDepth = 1_024;

/**
 * Finds the end of one JSON value in chunks of any size. It looks at brackets and strings alone: what stands between
 * them is for JSON.parse, once the value is whole.
 */
export class ValueScanner {
  #depth = 0;
  #isString = false;
  #isEscaped = false;
  #isScalar = false;
  readonly #kinds = new Uint8Array(rememberedDepth);

  /** Begins a value; its first byte is the next one that is scanned. */
  begin(first: number): void {
    this.#depth = 0;
    this.#isString = false;
    this.#isEscaped = false;
    this.#isScalar = (first | braceBit) !== open && first !== quote;
  }

  /** Whether the value ends with the text, should that end here: numbers and words have no closing byte. */
  get isScalar(): boolean {
    return this.#isScalar;
  }

  /**
   * Scans on.
   * @returns the place behind the last byte of the value; -1 when it goes on in the next chunk, -2 when brackets do
   * not match, after which no border can be found
   */
  scan(chunk: Uint8Array, from: number): number {
    if (this.#isScalar) return endOfScalar(chunk, from);
    const end = chunk.length;
    let depth = this.#depth;
    let at = from;
    if (this.#isEscaped && at < end) {
      at += 1;
      this.#isEscaped = false;
    }
    let isString = this.#isString;
    while (at < end) {
      let byte = chunk[at++] as number;
      if (isString) {
        while (byte !== quote && byte !== backslash && at < end) byte = chunk[at++] as number;
        if (byte === backslash) {
          if (at === end) this.#isEscaped = true;
          at += 1;
        } else if (byte === quote) {
          isString = false;
          if (depth === 0) return at;
        }
      } else if (byte === quote) {
        isString = true;
      } else if ((byte | braceBit) === open) {
        if (depth < rememberedDepth) this.#kinds[depth] = byte;
        depth += 1;
      } else if ((byte | braceBit) === close) {
        depth -= 1;
        // An opening bracket and its closing one are two apart.
        if (depth < rememberedDepth && this.#kinds[depth] !== byte - 2) return -2;
        if (depth === 0) return at;
      }
    }
    this.#depth = depth;
    this.#isString = isString;
    return -1;
  }
}

/** A number or word ends before whitespace, a comma or a closing bracket. */
function endOfScalar(chunk: Uint8Array, from: number): number {
  for (let at = from; at < chunk.length; at++) {
    const byte = chunk[at] as number;
    if (byte <= 0x20 || byte === comma || (byte | braceBit) === close) return at;
  }
  return -1;
}
