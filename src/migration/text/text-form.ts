/** How a text is encoded, and the length of its byte order mark in bytes. */
interface TextEncoding {
  readonly encoding: 'utf-8' | 'utf-16le' | 'utf-16be';
  readonly markBytes: number;
}

const marks: readonly [mark: string, encoding: TextEncoding['encoding']][] = [
  ['efbbbf', 'utf-8'],
  ['fffe', 'utf-16le'],
  ['feff', 'utf-16be'],
];
/**
 * Of a hundred characters of a table or of JSON, at least so many are ASCII: separators, line feeds, digits. In UTF-16 each of them has a
 * NUL byte, and no text in UTF-8 has that many.
 */
const fewestAscii = 0.05;

/** Guesses how a text is encoded, by its byte order mark, or else by its NUL bytes. @param head its first bytes */
export function textEncoding(head: Buffer): TextEncoding {
  const hex = head.toString('hex', 0, 3);
  for (const [mark, encoding] of marks) {
    if (hex.startsWith(mark)) return { encoding, markBytes: mark.length / 2 };
  }
  const units = Math.floor(head.length / 2);
  let [first, second] = [0, 0];
  for (let at = 0; at < units * 2; at += 2) {
    if (head[at] === 0) first += 1;
    if (head[at + 1] === 0) second += 1;
  }
  // The other half has NUL bytes in few languages, and seldom there.
  if (second >= Math.max(1, units * fewestAscii) && first * 10 <= second)
    return { encoding: 'utf-16le', markBytes: 0 };
  if (first >= Math.max(1, units * fewestAscii) && second * 10 <= first)
    return { encoding: 'utf-16be', markBytes: 0 };
  return { encoding: 'utf-8', markBytes: 0 };
}

const [ofUtf32, ofZip] = [
  'UTF-32. Save it as UTF-8',
  'a ZIP archive, such as a workbook of Excel. Unpack it, or save the table as CSV',
];
const others: readonly [beginning: string, what: string][] = [
  ['fffe0000', ofUtf32],
  ['0000feff', ofUtf32],
  ['504b0304', ofZip],
  ['d0cf11e0a1b11ae1', 'a file of an old Office program. Save the table as CSV'],
  ['fd377a585a00', 'compressed with xz. Unpack it first'],
  ['425a68', 'compressed with bzip2. Unpack it first'],
];
/** Where a header of tar says what it is (POSIX.1-1988, ustar). */
const tarMagicAt = 257;

/** What a file is that is no text and no compressed text, with what to do about it. Undefined for a text. @param head its first bytes */
export function foreignFile(head: Buffer): string | undefined {
  const hex = head.toString('hex', 0, 8);
  if (head.toString('latin1', tarMagicAt, tarMagicAt + 5) === 'ustar')
    return 'an archive of tar. Unpack it first';
  return others.find(([beginning]) => hex.startsWith(beginning))?.[1];
}
