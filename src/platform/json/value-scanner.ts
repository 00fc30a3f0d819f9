const quote = 0x22;
const backslash = 0x5c;
/** `{` and `[`, `}` and `]` differ in this bit alone. */
const braceBit = 0x20;
const open = 0x7b;
const close = 0x7d;
const comma = 0x2c;

/** Brackets whose kind is remembered. Deeper brackets are only counted, because every reader refuses such a value. */
const rememberedDepth = 1_024;

/** Returned by {@link ValueScanner.scan}: the value continues in the next chunk. */
export const continues = -1;
/** Returned by {@link ValueScanner.scan}: a bracket closes one of another kind, so that the end cannot be found. */
export const mismatched = -2;

/**
 * Finds the end of one JSON value in chunks of any size. It follows brackets and strings alone. `JSON.parse` checks
 * what stands between them once the value is whole.
 */
export class ValueScanner {
  #depth = 0;
  #isString = false;
  #isEscaped = false;
  #isScalar = false;
  #mismatchAt = -1;
  readonly #kinds = new Uint8Array(rememberedDepth);

  /** Begins a value. `first` is its first byte, which is also the first byte that {@link scan} reads. */
  begin(first: number): void {
    this.#depth = 0;
    this.#isString = false;
    this.#isEscaped = false;
    this.#isScalar = (first | braceBit) !== open && first !== quote;
  }

  /** The place of the closing bracket in the chunk, after {@link scan} returned {@link mismatched}. */
  get mismatchAt(): number {
    return this.#mismatchAt;
  }

  /**
   * Scans the chunk from this place on.
   * @returns the place behind the last byte of the value, {@link continues} or {@link mismatched}
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
        // The codes of an opening bracket and its closing one are two apart.
        if (depth < rememberedDepth && this.#kinds[depth] !== byte - 2) {
          this.#mismatchAt = at - 1;
          return mismatched;
        }
        if (depth === 0) return at;
      }
    }
    this.#depth = depth;
    this.#isString = isString;
    return continues;
  }
}

/** A number or a word ends before whitespace, a comma or a closing bracket. */
function endOfScalar(chunk: Uint8Array, from: number): number {
  for (let at = from; at < chunk.length; at++) {
    const byte = chunk[at] as number;
    if (byte <= 0x20 || byte === comma || (byte | braceBit) === close) return at;
  }
  return continues;
}
