/** The polynomial of the NVM Express specification, with its bits reversed, in two halves. */
const [high, low] = [0x9a6c9329, 0xac4bc9b5];

/** The remainders of each byte, in two halves. */
const highs = new Uint32Array(256);
const lows = new Uint32Array(256);
for (let byte = 0; byte < 256; byte++) {
  let [h, l] = [0, byte];
  for (let bit = 0; bit < 8; bit++) {
    const isOdd = (l & 1) === 1;
    l = (l >>> 1) | ((h & 1) << 31);
    h >>>= 1;
    if (isOdd) [h, l] = [h ^ high, l ^ low];
  }
  [highs[byte], lows[byte]] = [h, l];
}

/** The checksum CRC-64/NVME, which Amazon S3 computes of every object. */
export class Crc64Nvme {
  #high = 0xffffffff;
  #low = 0xffffffff;

  update(chunk: Uint8Array): void {
    let [h, l] = [this.#high, this.#low];
    for (let at = 0; at < chunk.length; at++) {
      const index = (l ^ (chunk[at] as number)) & 0xff;
      l = ((l >>> 8) | (h << 24)) ^ (lows[index] as number);
      h = (h >>> 8) ^ (highs[index] as number);
    }
    [this.#high, this.#low] = [h, l];
  }

  /** Eight bytes, the highest first. */
  digest(): Buffer {
    const digest = Buffer.alloc(8);
    digest.writeUInt32BE(~this.#high >>> 0, 0);
    digest.writeUInt32BE(~this.#low >>> 0, 4);
    return digest;
  }
}
