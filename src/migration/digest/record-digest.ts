import { createHash, hash } from 'node:crypto';
import { endianness } from 'node:os';
import { isJsonObject } from '#src/platform/json/json-object.js';

/** 16-bit numbers of a sum. With so many, no other set of records with the same sum can be found. */
const lanes = 1_024;
/** Bytes to which a record is expanded. */
const recordBytes = 2 * lanes;
const isLittleEndian = endianness() === 'LE';

/**
 * The sum of records. It does not depend on their order, and two sums are equal only if the records are the same. Each record is
 * expanded to 2,048 bytes by SHAKE128, and the numbers of 16 bits are added (LtHash: Bellare and Micciancio, 1997). The number of records
 * is part of the sum, because 65,536 equal records add up to nothing.
 */
export class RecordSum {
  readonly #sum = new Uint16Array(lanes);
  #count = 0;

  /** Adds a record. */
  add(text: string): void {
    this.#addLanes(createHash('shake128', { outputLength: recordBytes }).update(text).digest());
    this.#count += 1;
  }

  /** Adds the records of another sum. @param bytes what {@link bytes} returned */
  addBytes(bytes: Buffer): void {
    this.#addLanes(bytes);
    this.#count += bytes.readUIntLE(recordBytes, 6);
  }

  #addLanes(bytes: Buffer): void {
    const sum = this.#sum;
    const added = numbersOf(bytes);
    for (let lane = 0; lane < lanes; lane++) sum[lane] = (sum[lane] as number) + (added[lane] as number);
  }

  /** The numbers, and the count of the records in 8 bytes, all little-endian. */
  bytes(): Buffer {
    const bytes = Buffer.alloc(recordBytes + 8);
    for (const [lane, value] of this.#sum.entries()) bytes.writeUInt16LE(value, lane * 2);
    bytes.writeUIntLE(this.#count, recordBytes, 6);
    return bytes;
  }

  /** SHA-256 of the sum, in hexadecimal digits. */
  digest(): string {
    return hash('sha256', this.bytes(), 'hex');
  }
}

/** The sum of these records. */
export function sumOf(texts: readonly string[]): RecordSum {
  const sum = new RecordSum();
  for (const text of texts) sum.add(text);
  return sum;
}

/** The first numbers of a text. They are little-endian, so that the digest is the same on every machine. */
function numbersOf(bytes: Buffer): Uint16Array {
  if (isLittleEndian && bytes.byteOffset % 2 === 0) {
    return new Uint16Array(bytes.buffer, bytes.byteOffset, lanes);
  }
  const copy = Buffer.alloc(recordBytes);
  bytes.copy(copy, 0, 0, recordBytes);
  if (!isLittleEndian) copy.swap16();
  return new Uint16Array(copy.buffer, copy.byteOffset, lanes);
}

/** One digest of the digests of several kinds: SHA-256 of a line `kind digest` for each, in the order of their names. */
export function totalDigest(digests: ReadonlyMap<string, string>): string {
  const lines = [...digests].map(([kind, digest]) => `${kind} ${digest}\n`).sort();
  return hash('sha256', lines.join(''), 'hex');
}

/** Bytes that stand for the key of a record: see {@link keyBytes}. */
export const keyLength = 16;

/** The first 128 bits of SHA-256 of the key of a record, and of its list and organization. */
export function keyBytes(of: {
  readonly list: string;
  readonly orgId: string;
  readonly key: string;
}): Buffer {
  return hash('sha256', `${of.list}\0${of.orgId}\0${of.key}`, 'buffer').subarray(0, keyLength);
}

/**
 * Whether two values certainly have the same {@link canonicalJson}. It takes a fraction of the time. Values that JSON alone makes equal,
 * such as a date and its text, are not recognized.
 */
export function isSameJson(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a))
    return Array.isArray(b) && a.length === b.length && a.every((item, at) => isSameJson(item, b[at]));
  if (a instanceof Date) return b instanceof Date && a.getTime() === b.getTime();
  if (!isJsonObject(a) || !isJsonObject(b) || b instanceof Date) return false;
  let count = 0;
  for (const key of Object.keys(a)) {
    if (a[key] === undefined) continue;
    if (!Object.hasOwn(b, key) || !isSameJson(a[key], b[key])) return false;
    count += 1;
  }
  for (const key of Object.keys(b)) if (b[key] !== undefined) count -= 1;
  return count === 0;
}

/**
 * JSON with the keys of every object in the order of their code units. Equal values have equal texts. Properties that are undefined are
 * left out, and dates have the form of `toISOString`.
 */
export function canonicalJson(value: unknown): string {
  if (typeof value === 'string') return quoted(value);
  if (value instanceof Date) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (!isJsonObject(value)) return JSON.stringify(value) ?? 'null';
  let text = '{';
  for (const key of Object.keys(value).sort()) {
    const item = value[key];
    if (item !== undefined) text += `${text === '{' ? '' : ','}${quoted(key)}:${canonicalJson(item)}`;
  }
  return `${text}}`;
}

/** Printable ASCII without the quote and the backslash. */
const needsNoEscape = /^[ !#-[\]-~]*$/;

/** A text as JSON. Most texts need no escape, and to see that is quicker than `JSON.stringify`. */
function quoted(text: string): string {
  return needsNoEscape.test(text) ? `"${text}"` : JSON.stringify(text);
}
