import { createHash, hash } from 'node:crypto';
import { isJsonObject } from '#src/platform/json/json-object.js';

/** 16-bit numbers of a sum. With so many, no other set of records with the same sum can be found. */
const lanes = 1_024;
/** Bytes to which a record is expanded. */
const recordBytes = 2 * lanes;

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

  #addLanes(bytes: Uint8Array): void {
    const sum = this.#sum;
    // Read as little-endian pairs, so that the digest is the same on every machine.
    for (let lane = 0, at = 0; lane < lanes; lane++, at += 2) {
      sum[lane] = (sum[lane] as number) + (bytes[at] as number) + ((bytes[at + 1] as number) << 8);
    }
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
 * JSON with the keys of every object in the order of their code units. Equal values have equal texts. Properties that are undefined are
 * left out, and dates have the form of `toISOString`.
 */
export function canonicalJson(value: unknown): string {
  if (value instanceof Date) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (!isJsonObject(value)) return JSON.stringify(value) ?? 'null';
  let text = '{';
  for (const key of Object.keys(value).sort()) {
    if (value[key] === undefined) continue;
    text += `${text === '{' ? '' : ','}${JSON.stringify(key)}:${canonicalJson(value[key])}`;
  }
  return `${text}}`;
}
