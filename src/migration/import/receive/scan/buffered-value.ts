import { isUtf8 } from 'node:buffer';
import { measureJson } from '#src/platform/json/measure-json.js';
import { findJsonFault } from './find-json-fault.js';
import { ScanError } from './scan-handler.js';

/** The most bytes that the values of these keys may have. */
const maxBytesOf = new Map([
  ['timeout', 1_024],
  ['dryRun', 1_024],
  ['strict', 1_024],
  ['update', 1_024],
  ['orgId', 1_024],
  ['org', 65_536],
]);
const maxBytesOfOthers = 262_144;

/** A small value that the scanner keeps whole in memory: a property of the envelope or of an organization. */
export class BufferedValue {
  readonly #key: string;
  readonly #start: number;
  readonly #pieces: Uint8Array[] = [];
  #length = 0;

  /** @param start the place of its first byte in the text */
  constructor(key: string, start: number) {
    this.#key = key;
    this.#start = start;
  }

  /** Adds the next bytes. @throws ScanError when the value becomes too large */
  add(bytes: Uint8Array): void {
    this.#length += bytes.length;
    if (this.#length > (maxBytesOf.get(this.#key) ?? maxBytesOfOthers)) throw this.#error('is too large');
    // A copy: the caller may reuse the chunk before the value ends.
    this.#pieces.push(Uint8Array.from(bytes));
  }

  /** Parses the value. @throws ScanError when it is not UTF-8 or not JSON, has a key twice or is nested too deeply */
  parse(): unknown {
    const bytes = Buffer.concat(this.#pieces);
    if (!isUtf8(bytes)) throw this.#error('is not UTF-8');
    const text = bytes.toString();
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      throw this.#error('is not JSON');
    }
    if (findJsonFault(measureJson(text), value) !== undefined)
      throw this.#error('has a key twice or is too deep');
    return value;
  }

  #error(fault: string): ScanError {
    return new ScanError(`The value of ${JSON.stringify(this.#key)} ${fault}, at byte ${this.#start}`);
  }
}
