import { findJsonFault } from './find-json-fault.js';
import { ScanError } from './scan-handler.js';

/** Bytes that the value of a key may have. */
const bytesOf = new Map([
  ['timeout', 1_024],
  ['dryRun', 1_024],
  ['orgId', 1_024],
  ['org', 65_536],
]);
const otherBytes = 262_144;

/** A value that is read whole: a property of the envelope or of an organization, which is small. */
export class BufferedValue {
  readonly #key: string;
  readonly #start: number;
  readonly #pieces: Uint8Array[] = [];
  #length = 0;

  /** @param start where the value begins in the text */
  constructor(key: string, start: number) {
    this.#key = key;
    this.#start = start;
  }

  /** Holds the next bytes. @throws ScanError when they become too many */
  add(bytes: Uint8Array): void {
    this.#length += bytes.length;
    if (this.#length > (bytesOf.get(this.#key) ?? otherBytes)) throw this.#error('is too large');
    // A copy: the chunk may be used again when the value goes on in the next one.
    this.#pieces.push(Uint8Array.from(bytes));
  }

  /** The value. @throws ScanError when it is not JSON, has a key twice or is nested too deeply */
  parse(): unknown {
    const bytes = Buffer.concat(this.#pieces);
    let value: unknown;
    try {
      value = JSON.parse(bytes.toString());
    } catch {
      throw this.#error('is not JSON');
    }
    if (findJsonFault(bytes, value) !== undefined) throw this.#error('has a key twice or is too deep');
    return value;
  }

  #error(fault: string): ScanError {
    return new ScanError(`The value of ${JSON.stringify(this.#key)} ${fault}, at byte ${this.#start}`);
  }
}
