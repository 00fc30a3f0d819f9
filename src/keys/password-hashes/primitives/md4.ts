/** The words that a round takes, the turns of its bits, and what it adds (RFC 1320 section 3.4). */
const rounds = [
  { order: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15], turns: [3, 7, 11, 19], added: 0 },
  { order: [0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15], turns: [3, 5, 9, 13], added: 0x5a827999 },
  { order: [0, 8, 4, 12, 2, 10, 6, 14, 1, 9, 5, 13, 3, 11, 7, 15], turns: [3, 9, 11, 15], added: 0x6ed9eba1 },
] as const;

/** How the rounds mix three words. */
const mixes = [
  (x: number, y: number, z: number) => (x & y) | (~x & z),
  (x: number, y: number, z: number) => (x & y) | (x & z) | (y & z),
  (x: number, y: number, z: number) => x ^ y ^ z,
] as const;

/** MD4 (RFC 1320). OpenSSL 3 has it only with its legacy provider. It protects nothing, and verifies hashes of old systems. */
export function md4(text: Buffer): Buffer {
  const padded = Buffer.alloc(64 * Math.ceil((text.length + 9) / 64));
  text.copy(padded);
  padded[text.length] = 0x80;
  padded.writeBigUInt64LE(BigInt(text.length) * 8n, padded.length - 8);
  const state = Int32Array.of(0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476);
  for (let at = 0; at < padded.length; at += 64) {
    const block = padded.subarray(at, at + 64);
    let [a, b, c, d] = state as unknown as [number, number, number, number];
    for (const [number, { order, turns, added }] of rounds.entries()) {
      for (const [step, word] of order.entries()) {
        const mixed = (mixes[number] as (typeof mixes)[0])(b, c, d);
        const sum = (a + mixed + block.readInt32LE(4 * word) + added) | 0;
        const turn = turns[step % 4] as number;
        [a, b, c, d] = [d, (sum << turn) | (sum >>> (32 - turn)), b, c];
      }
    }
    for (const [index, word] of [a, b, c, d].entries()) state[index] = (state[index] as number) + word;
  }
  return Buffer.from(state.buffer);
}
