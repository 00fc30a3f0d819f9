import { isUtf8 } from 'node:buffer';
import type { JsonObject } from '#src/platform/json/json-object.js';

/** A line of an entry: the name of the attribute in lower case with its options, and a value. */
export interface LdifLine {
  readonly name: string;
  /** A text, or `{ bytes }` with the length of a value that is no text. */
  readonly value: string | JsonObject;
}

/** An object whose members may have any name, also `__proto__`. */
export function createFields(members: JsonObject): JsonObject {
  return Object.assign(Object.create(null) as JsonObject, members);
}

const longestName = 300;
/** Of Active Directory: 16 bytes. */
const guidName = 'objectguid';

/** Returns what an unfolded line says, or a text about its fault. The text has nothing of the value. */
export function readLdifLine(line: string): LdifLine | string {
  const colon = line.indexOf(':');
  const name = line.slice(0, Math.max(colon, 0)).toLowerCase();
  if (colon > longestName || !/^[a-z0-9][a-z0-9._-]*(?:;[a-z0-9._=*-]+)*$/.test(name)) {
    return 'not an attribute and a value';
  }
  const sign = line[colon + 1];
  if (sign === '<') return `${name} has its value at a URL, which is never read`;
  if (sign !== ':') return { name, value: plainValue(name, line.slice(colon + 1).replace(/^ +/, '')) };
  const text = line.slice(colon + 2).trim();
  if (text.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(text)) return `${name} is not base64`;
  return { name, value: readValue(name, Buffer.from(text, 'base64')) };
}

/** A plain text may be an identifier whose bytes happen to be ASCII. */
function plainValue(name: string, text: string): string | JsonObject {
  return name === guidName || name.endsWith(';binary') ? readValue(name, Buffer.from(text)) : text;
}

function readValue(name: string, bytes: Buffer): string | JsonObject {
  if (name === guidName && bytes.length === 16) return guidOf(bytes);
  if (name.endsWith(';binary') || bytes.includes(0) || !isUtf8(bytes)) return { bytes: bytes.length };
  return bytes.toString();
}

/** The identifier as Active Directory shows it: the first three parts are little-endian (MS-DTYP section 2.3.4). */
function guidOf(bytes: Buffer): string {
  const parts = [
    bytes.subarray(0, 4).reverse(),
    bytes.subarray(4, 6).reverse(),
    bytes.subarray(6, 8).reverse(),
  ];
  return [...parts, bytes.subarray(8, 10), bytes.subarray(10)].map((part) => part.toString('hex')).join('-');
}
