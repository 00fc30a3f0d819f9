import { createHmac, hash, pbkdf2Sync } from 'node:crypto';

/**
 * yescrypt 1.1 of Alexander Peslyak (openwall.com/yescrypt), and YESCRYPT_WORM, both without a ROM. Node.js has no such function. Only
 * PBKDF2, HMAC and SHA-256 are of Node.js.
 */
export interface YescryptParameters {
  /** YESCRYPT_RW with its default flavor, or YESCRYPT_WORM. */
  readonly mode: 'rw' | 'worm';
  /** The binary logarithm of the cost N. */
  readonly ln: number;
  readonly r: number;
  readonly p: number;
  readonly t: number;
}

/** The bytes of the key. */
const keyBytes = 32;
/** Words of 32 bits of the three S-boxes of a lane: 3 * 2^8 pairs of 64 bits. */
const boxWords = 3_072;
const third = boxWords / 3;
const pwxRounds = 6;

/** The S-boxes of a lane. They take turns: the place of each is that of its first word. */
interface Boxes {
  readonly words: Int32Array;
  s0: number;
  s1: number;
  s2: number;
  written: number;
}

/** Computes the hash of 32 bytes. */
export function yescrypt(password: string, salt: Buffer, parameters: YescryptParameters): Buffer {
  const { mode, ln, r, p } = parameters;
  let input: Buffer = Buffer.from(password);
  if (mode === 'rw' && hasPrehash(parameters)) {
    input = derive(input, salt, { ...parameters, ln: ln - 6, t: 0 }, 'yescrypt-prehash');
  }
  const key = derive(input, salt, { mode, ln, r, p, t: parameters.t }, 'yescrypt');
  const clientKey = createHmac('sha256', key).update('Client Key').digest();
  return hash('sha256', clientKey, 'buffer');
}

/** Whether a hash of large memory begins with a smaller one, so that a wrong size of memory fails early. */
export function hasPrehash({ ln, r, p }: Pick<YescryptParameters, 'ln' | 'r' | 'p'>): boolean {
  const share = 2 ** ln / p;
  return Math.floor(share) >= 0x100 && Math.floor(share) * r >= 0x20000;
}

/** The rounds of the second loop, of which `writing` also write (section "SMix" of the specification). */
export function loopsOf({ mode, ln, p, t }: YescryptParameters): { all: number; writing: number } {
  const share = mode === 'rw' ? Math.floor(2 ** ln / p) : 2 ** ln;
  const even = (count: number) => count + (count % 2);
  if (mode === 'worm') {
    const all = t === 0 ? share : t === 1 ? share + Math.ceil(share / 2) : share * t;
    return { all: even(all), writing: 0 };
  }
  const all = t > 1 ? share * (t - 1) : Math.floor(((t === 1 ? 2 * share : share) + 2) / 3);
  return { all: even(all), writing: even(Math.floor(all / p)) };
}

function derive(input: Buffer, salt: Buffer, parameters: YescryptParameters, purpose: string): Buffer {
  const { mode, ln, r, p } = parameters;
  const lane = 128 * r;
  let secret: Buffer = createHmac('sha256', purpose).update(input).digest();
  const bytes = pbkdf2Sync(secret, salt, 1, lane * p, 'sha256');
  // A copy, because the mixing changes the bytes.
  secret = Buffer.from(bytes.subarray(0, keyBytes));
  const memory = new Int32Array(32 * r * 2 ** ln);
  const lanes = Array.from({ length: p }, (_, place) => bytes.subarray(place * lane, (place + 1) * lane));
  if (mode === 'rw') secret = mixTogether(lanes, secret, memory, parameters);
  else for (const block of lanes) mixAlone(block, memory, parameters);
  return pbkdf2Sync(secret, bytes, 1, keyBytes, 'sha256');
}

/** SMix of YESCRYPT_RW: the lanes share the memory. Returns the secret for the last step. */
function mixTogether(
  lanes: readonly Buffer[],
  secret: Buffer,
  memory: Int32Array,
  parameters: YescryptParameters,
): Buffer {
  const { ln, r, p } = parameters;
  const { all, writing } = loopsOf(parameters);
  const size = 2 ** ln;
  const share = Math.floor(size / p) - (Math.floor(size / p) % 2);
  let next = secret;
  const boxes = lanes.map((block, place) => {
    const ofLane = newBoxes(block.subarray(0, 128));
    if (place === 0) next = createHmac('sha256', block.subarray(-64)).update(secret).digest();
    const count = place < p - 1 ? share : size - place * share;
    const part = memory.subarray(place * share * 32 * r, (place * share + count) * 32 * r);
    const x = toWords(block);
    fill(x, part, count, ofLane, true);
    revisit(x, part, powerOf2Below(count), writing, ofLane, true);
    toBytes(x, block);
    return ofLane;
  });
  for (const [place, block] of lanes.entries()) {
    const x = toWords(block);
    revisit(x, memory, size, all - writing, boxes[place], false);
    toBytes(x, block);
  }
  return next;
}

/** SMix of YESCRYPT_WORM, as of scrypt (RFC 7914 section 5). */
function mixAlone(block: Buffer, memory: Int32Array, parameters: YescryptParameters): void {
  const size = 2 ** parameters.ln;
  const x = toWords(block);
  fill(x, memory, size, undefined, false);
  revisit(x, memory, size, loopsOf(parameters).all, undefined, false);
  toBytes(x, block);
}

function newBoxes(block: Buffer): Boxes {
  const words = new Int32Array(boxWords);
  const x = toWords(block);
  fill(x, words, boxWords / 32, undefined, false);
  toBytes(x, block);
  return { words, s0: 2 * third, s1: third, s2: 0, written: 0 };
}

/** The first loop: writes `count` blocks. With `mixes`, each block also takes in an earlier one. */
function fill(
  x: Int32Array,
  memory: Int32Array,
  count: number,
  boxes: Boxes | undefined,
  mixes: boolean,
): void {
  const words = x.length;
  const scratch = new Int32Array(words);
  for (let index = 0; index < count; index++) {
    memory.set(x, index * words);
    if (mixes && index > 1) {
      const power = powerOf2Below(index);
      const earlier = ((x[words - 16] as number) & (power - 1)) + (index - power);
      xorInto(x, memory, earlier * words);
    }
    mixBlock(x, scratch, boxes);
  }
}

/** The second loop: takes in blocks in an order that the data decide. `size` is a power of 2, below 2^32. */
function revisit(
  x: Int32Array,
  memory: Int32Array,
  size: number,
  rounds: number,
  boxes: Boxes | undefined,
  writes: boolean,
): void {
  const words = x.length;
  const scratch = new Int32Array(words);
  for (let round = 0; round < rounds; round++) {
    const place = ((x[words - 16] as number) & (size - 1)) * words;
    xorInto(x, memory, place);
    if (writes) memory.set(x, place);
    mixBlock(x, scratch, boxes);
  }
}

function mixBlock(x: Int32Array, scratch: Int32Array, boxes: Boxes | undefined): void {
  if (boxes === undefined) mixBySalsa(x, scratch);
  else mixByBoxes(x, boxes);
}

/** BlockMix of scrypt, with 8 rounds of Salsa20. */
function mixBySalsa(x: Int32Array, scratch: Int32Array): void {
  const half = x.length / 2;
  const state = x.slice(-16);
  for (let start = 0; start < x.length; start += 16) {
    for (let word = 0; word < 16; word++) state[word] = (state[word] as number) ^ (x[start + word] as number);
    salsa20(state, 0, 8);
    scratch.set(state, (start % 32 === 0 ? 0 : half) + (start >>> 5) * 16);
  }
  x.set(scratch);
}

/** BlockMix of yescrypt: pwxform of each 64 bytes, and 2 rounds of Salsa20 over the last ones. */
function mixByBoxes(x: Int32Array, boxes: Boxes): void {
  const state = x.slice(-16);
  for (let start = 0; start < x.length; start += 16) {
    for (let word = 0; word < 16; word++) state[word] = (state[word] as number) ^ (x[start + word] as number);
    pwxform(state, boxes);
    x.set(state, start);
  }
  salsa20(x, x.length - 16, 2);
}

/** pwxform with 4 parallel lanes of 2 times 64 bits. Writes to the third S-box, and turns the three. */
function pwxform(state: Int32Array, boxes: Boxes): void {
  const { words, s0, s1, s2 } = boxes;
  let written = boxes.written;
  for (let round = 0; round < pwxRounds; round++) {
    const keeps = round !== 0 && round !== pwxRounds - 1;
    for (let lane = 0; lane < 16; lane += 4) {
      // The mask is that of 2^8 pairs of 64 bits, in words.
      const p0 = s0 + (((state[lane] as number) & 0xff0) >>> 2);
      const p1 = s1 + (((state[lane + 1] as number) & 0xff0) >>> 2);
      for (let part = 0; part < 4; part += 2) {
        const low = state[lane + part] as number;
        const high = state[lane + part + 1] as number;
        // The product of two words of 32 bits, from products of their halves.
        const product = Math.imul(high, low);
        const cross = Math.imul(high >>> 16, low & 0xffff);
        const other = Math.imul(high & 0xffff, low >>> 16);
        const middle = (Math.imul(high & 0xffff, low & 0xffff) >>> 16) + (cross & 0xffff) + (other & 0xffff);
        const upper = Math.imul(high >>> 16, low >>> 16) + (cross >>> 16) + (other >>> 16) + (middle >>> 16);
        const sum = (product + (words[p0 + part] as number)) | 0;
        const carry = sum >>> 0 < product >>> 0 ? 1 : 0;
        const newLow = sum ^ (words[p1 + part] as number);
        const newHigh = (upper + (words[p0 + part + 1] as number) + carry) ^ (words[p1 + part + 1] as number);
        state[lane + part] = newLow;
        state[lane + part + 1] = newHigh;
        if (keeps) {
          words[s2 + written] = newLow;
          words[s2 + written + 1] = newHigh;
          written += 2;
        }
      }
    }
  }
  boxes.s0 = s2;
  boxes.s1 = s0;
  boxes.s2 = s1;
  boxes.written = written % third;
}

/** The place of each word of Salsa20 in a block. Blocks are kept in an order for vectors. */
const places = Array.from({ length: 16 }, (_, word) => (word * 5) % 16);
/** The words of each quarter round: of columns, then of rows. */
const quarters = [0, 5, 10, 15]
  .map((first) => [0, 4, 8, 12].map((step) => (first + step) % 16))
  .concat([0, 5, 10, 15].map((first) => [0, 1, 2, 3].map((step) => (first & 12) + ((first + step) & 3))));

/** Adds the Salsa20 core of the block to it. */
function salsa20(block: Int32Array, start: number, rounds: number): void {
  const x = working;
  for (let word = 0; word < 16; word++) x[places[word] as number] = block[start + word] as number;
  for (let round = 0; round < rounds; round += 2) {
    for (const [a, b, c, d] of quarters as [number, number, number, number][]) {
      x[b] = (x[b] as number) ^ rotated((x[a] as number) + (x[d] as number), 7);
      x[c] = (x[c] as number) ^ rotated((x[b] as number) + (x[a] as number), 9);
      x[d] = (x[d] as number) ^ rotated((x[c] as number) + (x[b] as number), 13);
      x[a] = (x[a] as number) ^ rotated((x[d] as number) + (x[c] as number), 18);
    }
  }
  for (let word = 0; word < 16; word++) {
    block[start + word] = (block[start + word] as number) + (x[places[word] as number] as number);
  }
}

const working = new Int32Array(16);

function rotated(value: number, bits: number): number {
  return (value << bits) | (value >>> (32 - bits));
}

/** Reads little-endian words into the order for vectors. */
function toWords(bytes: Buffer): Int32Array {
  const words = new Int32Array(bytes.length / 4);
  for (let index = 0; index < words.length; index++) {
    words[index] = bytes.readInt32LE(4 * ((index & ~15) + (places[index & 15] as number)));
  }
  return words;
}

function toBytes(words: Int32Array, bytes: Buffer): void {
  for (const [index, word] of words.entries()) {
    bytes.writeInt32LE(word, 4 * ((index & ~15) + (places[index & 15] as number)));
  }
}

function xorInto(x: Int32Array, memory: Int32Array, start: number): void {
  for (let word = 0; word < x.length; word++)
    x[word] = (x[word] as number) ^ (memory[start + word] as number);
}

/** The greatest power of 2 that is not above a number from 1 to 2^31. */
function powerOf2Below(count: number): number {
  return 2 ** (31 - Math.clz32(count));
}
