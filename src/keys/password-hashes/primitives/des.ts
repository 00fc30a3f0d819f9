/** DES (FIPS 46-3) as crypt(3) changes it: a salt swaps bits of the expansion. Bits are numbered from 1, the first one is the highest. */

const keyChoice1 = [
  57, 49, 41, 33, 25, 17, 9, 1, 58, 50, 42, 34, 26, 18, 10, 2, 59, 51, 43, 35, 27, 19, 11, 3, 60, 52, 44, 36,
  63, 55, 47, 39, 31, 23, 15, 7, 62, 54, 46, 38, 30, 22, 14, 6, 61, 53, 45, 37, 29, 21, 13, 5, 28, 20, 12, 4,
];
const keyChoice2 = [
  14, 17, 11, 24, 1, 5, 3, 28, 15, 6, 21, 10, 23, 19, 12, 4, 26, 8, 16, 7, 27, 20, 13, 2, 41, 52, 31, 37, 47,
  55, 30, 40, 51, 45, 33, 48, 44, 49, 39, 56, 34, 53, 46, 42, 50, 36, 29, 32,
];
const keyShifts = [1, 1, 2, 2, 2, 2, 2, 2, 1, 2, 2, 2, 2, 2, 2, 1];
const permutation = [
  16, 7, 20, 21, 29, 12, 28, 17, 1, 15, 23, 26, 5, 18, 31, 10, 2, 8, 24, 14, 32, 27, 3, 9, 19, 13, 30, 6, 22,
  11, 4, 25,
];
/** Each hexadecimal digit is one value: four rows of 16. */
const substitutions = [
  'e4d12fb83a6c59070f74e2d1a6cb953841e8d62bfc973a50fc8249175b3ea06d',
  'f18e6b34972dc05a3d47f28ec01a69b50e7ba4d158c6932fd8a13f42b67c05e9',
  'a09e63f51dc7b428d709346a285ecbf1d6498f30b12c5ae71ad069874fe3b52c',
  '7de3069a1285bc4fd8b56f03472c1ae9a690cb7df13e52843f06a1d8945bc72e',
  '2c417ab6853fd0e9eb2c47d150fa3986421bad78f9c5630eb8c71e2d6f09a453',
  'c1af92680d34e75baf427c9561de0b389ef528c3704a1db6432c95fabe17608d',
  '4b2ef08d3c975a61d0b7491ae35c2f8614bdc37eaf6805926bd814a7950fe23c',
  'd2846fb1a93e50c71fd8a374c56b0e927b419ce206adf35821e74a8dfc90356b',
];
const boxes = substitutions.map((digits) => Uint8Array.from(digits, (digit) => Number.parseInt(digit, 16)));

/** The index of a bit of 64 before the initial permutation, by its index after it. */
const initialPermutation = Array.from({ length: 64 }, (_, index) => {
  const row = index >>> 3;
  return (7 - (index & 7)) * 8 + (row < 4 ? 2 * row + 1 : 2 * row - 8);
});

/** The bits of the 16 round keys. @param key 64 bits; every eighth counts for nothing */
export function roundKeys(key: Uint8Array): Uint8Array[] {
  let halves = keyChoice1.map((bit) => key[bit - 1] as number);
  return keyShifts.map((shift) => {
    const turn = (half: number[]) => [...half.slice(shift), ...half.slice(0, shift)];
    halves = [...turn(halves.slice(0, 28)), ...turn(halves.slice(28))];
    return Uint8Array.from(keyChoice2, (bit) => halves[bit - 1] as number);
  });
}

/**
 * Encrypts 64 bits several times.
 * @param salt 24 bits. The lowest one swaps the first bits of the two halves of the expansion
 */
export function encrypt(
  bits: Uint8Array,
  keys: readonly Uint8Array[],
  { salt, times }: { salt: number; times: number },
): Uint8Array {
  const start = initialPermutation.map((place) => bits[place] as number);
  let [left, right]: [Uint8Array, Uint8Array] = [
    Uint8Array.from(start.slice(0, 32)),
    Uint8Array.from(start.slice(32)),
  ];
  const expanded = new Uint8Array(48);
  for (let time = 0; time < times; time++) {
    for (const key of keys) {
      expand(right, expanded, salt);
      [left, right] = [right, substituted(left, expanded, key)];
    }
    [left, right] = [right, left];
  }
  const end = new Uint8Array(64);
  for (const [index, place] of initialPermutation.entries())
    end[place] = (index < 32 ? left[index] : right[index - 32]) as number;
  return end;
}

/** Each group of 6 bits takes in the last bit before it and the first one after it. */
function expand(right: Uint8Array, expanded: Uint8Array, salt: number): void {
  for (let group = 0; group < 8; group++) {
    for (let bit = 0; bit < 6; bit++)
      expanded[6 * group + bit] = right[(4 * group + bit + 31) % 32] as number;
  }
  for (let bit = 0; bit < 24; bit++) {
    if ((salt & (1 << bit)) === 0) continue;
    const saved = expanded[bit] as number;
    expanded[bit] = expanded[bit + 24] as number;
    expanded[bit + 24] = saved;
  }
}

function substituted(left: Uint8Array, expanded: Uint8Array, key: Uint8Array): Uint8Array {
  const output = new Uint8Array(32);
  for (let box = 0; box < 8; box++) {
    const bit = (place: number) => (expanded[6 * box + place] as number) ^ (key[6 * box + place] as number);
    const row = 2 * bit(0) + bit(5);
    const column = 8 * bit(1) + 4 * bit(2) + 2 * bit(3) + bit(4);
    const value = (boxes[box] as Uint8Array)[16 * row + column] as number;
    for (let place = 0; place < 4; place++) output[4 * box + place] = (value >>> (3 - place)) & 1;
  }
  return left.map((bit, index) => bit ^ (output[(permutation[index] as number) - 1] as number));
}
