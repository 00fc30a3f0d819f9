/** The turns of the bits in each of the four rounds (RFC 1321 section 3.4). */
const turns = [
  [7, 12, 17, 22],
  [5, 9, 14, 20],
  [4, 11, 16, 23],
  [6, 10, 15, 21],
] as const;
/** The sines of 1 to 64, as 32 bits. */
const sines = Uint32Array.from({ length: 64 }, (_, step) =>
  Math.floor(Math.abs(Math.sin(step + 1)) * 2 ** 32),
);

/** How each round mixes three words, and which word of the block a step takes. */
const rounds = [
  { mix: (x: number, y: number, z: number) => (x & y) | (~x & z), word: (step: number) => step },
  { mix: (x: number, y: number, z: number) => (x & z) | (y & ~z), word: (step: number) => 5 * step + 1 },
  { mix: (x: number, y: number, z: number) => x ^ y ^ z, word: (step: number) => 3 * step + 5 },
  { mix: (x: number, y: number, z: number) => y ^ (x | ~z), word: (step: number) => 7 * step },
] as const;

/**
 * The state of MD5 (RFC 1321) after its first block of 64 bytes. Node.js shows only the end of a digest, and CRAM-MD5 keeps this state.
 */
export function md5StateAfter(block: Buffer): Buffer {
  const start = [0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476] as const;
  let [a, b, c, d]: [number, number, number, number] = [...start];
  for (let step = 0; step < 64; step++) {
    const { mix, word } = rounds[step >>> 4] as (typeof rounds)[0];
    const turn = turns[step >>> 4]?.[step % 4] ?? 0;
    const sum = (a + mix(b, c, d) + block.readInt32LE(4 * (word(step) % 16)) + (sines[step] ?? 0)) | 0;
    [a, b, c, d] = [d, (b + ((sum << turn) | (sum >>> (32 - turn)))) | 0, b, c];
  }
  const state = [a, b, c, d].map((word, index) => word + (start[index] ?? 0));
  return Buffer.from(Int32Array.from(state).buffer);
}
