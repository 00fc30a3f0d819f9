import { keyLength } from './record-digest.js';

/** 32-bit numbers of a key. */
const words = keyLength / 4;

/** A set of keys of 16 bytes each. It needs about 32 bytes for each key, a fifth of what a `Set` of texts does. */
export class KeySet {
  readonly #slots: Uint32Array;
  readonly #mask: number;

  /** @param capacity the most keys that are added */
  constructor(capacity: number) {
    let size = 16;
    while (size < capacity * 2) size *= 2;
    this.#slots = new Uint32Array(size * words);
    this.#mask = size - 1;
  }

  /** Adds the key that begins at `at`. */
  add(bytes: Buffer, at = 0): void {
    const slot = this.#find(bytes, at) * words;
    for (let word = 0; word < words; word++) this.#slots[slot + word] = bytes.readUInt32LE(at + word * 4);
  }

  has(bytes: Buffer, at = 0): boolean {
    const slot = this.#find(bytes, at) * words;
    for (let word = 0; word < words; word++) if (this.#slots[slot + word] !== 0) return true;
    return false;
  }

  /**
   * The slot of the key, or the empty slot where it belongs. Keys are hashes, so they are spread evenly.
   * Not the first bytes: a set has the keys of a range of them.
   */
  #find(bytes: Buffer, at: number): number {
    for (let slot = bytes.readUInt32LE(at + 4) & this.#mask; ; slot = (slot + 1) & this.#mask) {
      let [isEmpty, isSame] = [true, true];
      for (let word = 0; word < words; word++) {
        const value = this.#slots[slot * words + word];
        if (value !== 0) isEmpty = false;
        if (value !== bytes.readUInt32LE(at + word * 4)) isSame = false;
      }
      if (isEmpty || isSame) return slot;
    }
  }
}
