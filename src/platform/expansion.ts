/** Text that a program writes is seldom compressed to less than a twentieth. The most that gzip can do is a thousandth. */
export const largestExpansion = 200;
/** Bytes of output that may come from any number of bytes. */
const freeBytes = 16 * 1_048_576;

/**
 * Whether a compressed text is made to exhaust its reader: `made` bytes came from `taken` bytes. Readers ask this while they unpack, and
 * stop.
 */
export function expandsTooMuch(taken: number, made: number): boolean {
  return made > freeBytes && made > taken * largestExpansion;
}
