import { randomBytes } from 'node:crypto';

/** The digits and letters of Crockford's base32: without I, L, O and U, which people read as others. */
const letters = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const groupLength = 4;

/** Returns a code that people type, such as `7KQ2-M9XA`, with 5 random bits in each of its characters. */
export function newTypedCode(length: number): string {
  const text = [...randomBytes(length)].map((byte) => letters[byte % letters.length]).join('');
  return text.match(new RegExp(`.{1,${groupLength}}`, 'g'))?.join('-') ?? '';
}

/**
 * Returns the characters of a code as a person typed it: in capital letters, without spaces and hyphens. Undefined for a text that is
 * no code of this length.
 */
export function readTypedCode(text: string, length: number): string | undefined {
  const code = text
    .slice(0, 100)
    .toUpperCase()
    .replace(/[\s-]/g, '')
    .replaceAll('O', '0')
    .replace(/[IL]/g, '1');
  return code.length === length && [...code].every((letter) => letters.includes(letter)) ? code : undefined;
}
