import { timingSafeEqual } from 'node:crypto';

/** The most bytes of a salt, a key or a digest. */
const mostBytes = 512;

/**
 * Reads base64 (RFC 4648 section 4), with or without padding. passlib writes `.` instead of `+`.
 * @returns undefined for any other text, and for more than 512 bytes
 */
export function fromBase64(text: string): Buffer | undefined {
  const plain = text.replace(/={0,2}$/, '').replaceAll('.', '+');
  const bytes = Buffer.from(plain, 'base64');
  if (bytes.length > mostBytes || toBase64(bytes) !== plain) return undefined;
  return bytes;
}

/** Reads base64 also in the alphabet for URLs (RFC 4648 section 5), where `-` and `_` stand for `+` and `/`. */
export function fromAnyBase64(text: string): Buffer | undefined {
  return fromBase64(text.replaceAll('-', '+').replaceAll('_', '/'));
}

/**
 * Reads hexadecimal digits, or else base64 in either alphabet, of so many bytes. A text of hexadecimal digits is base64 only if its length says so.
 * @returns undefined for any other text
 */
export function fromHexOrBase64(
  text: string,
  { least, most }: { readonly least: number; readonly most: number },
): Buffer | undefined {
  const fits = (bytes: Buffer | undefined) =>
    bytes !== undefined && bytes.length >= least && bytes.length <= most ? bytes : undefined;
  return fits(fromHex(text)) ?? fits(fromAnyBase64(text));
}

/** Reads hexadecimal digits. Undefined for any other text, and for more than 512 bytes. */
export function fromHex(text: string): Buffer | undefined {
  const isHex = text.length % 2 === 0 && text.length <= 2 * mostBytes && /^[0-9a-f]+$/i.test(text);
  return isHex ? Buffer.from(text, 'hex') : undefined;
}

/** Writes base64 without padding. */
export function toBase64(bytes: Buffer | string): string {
  return Buffer.from(bytes).toString('base64').replace(/=+$/, '');
}

/** Compares in constant time. Texts of different lengths differ. */
export function isSame(one: Buffer | string, other: Buffer | string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** The 64 characters of crypt(3). Each stands for the number of its place. */
export const cryptAlphabet = './0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Writes the `count` lowest groups of 6 bits, the lowest first, as crypt(3) does. */
export function toCrypt64(value: number, count: number): string {
  let text = '';
  for (let index = 0; index < count; index++) text += cryptAlphabet[Math.floor(value / 64 ** index) % 64];
  return text;
}

/** Writes bytes as phpass and Drupal do: three at a time, the first in the lowest bits. */
export function toPhpassText(bytes: Buffer): string {
  let text = '';
  for (let index = 0; index < bytes.length; index += 3) {
    const [a = 0, b = 0, c = 0] = bytes.subarray(index, index + 3);
    text += toCrypt64(a + b * 256 + c * 65_536, Math.min(4, bytes.length - index + 1));
  }
  return text;
}
