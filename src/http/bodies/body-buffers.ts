/** Lends the buffers into which bodies are read. */
interface BodyBuffers {
  /** A buffer with room for so many bytes at least. What it contains is somebody else's. */
  take(bytes: number): Buffer;
  /** Gives a buffer back. Nothing may refer to it any more. */
  giveBack(buffer: Buffer): void;
}

/** The usual forms, longer ones, and the longest, in bytes. */
const sizes = [4_096, 16_384, 65_536];
/** Bytes that are kept for later: as many as callers without a token may hold with the default setting. */
const mostKept = 33_554_432;

/**
 * Creates buffers that are used again. The bodies that clients do not finish would otherwise be garbage of 64 KiB each, and
 * collecting it takes the processor from everybody else. Larger buffers are not kept.
 */
export function createBodyBuffers(): BodyBuffers {
  const spare = new Map<number, Buffer[]>(sizes.map((size) => [size, []]));
  let keptBytes = 0;
  return {
    take(bytes) {
      const size = sizes.find((one) => one >= bytes) ?? bytes;
      const used = spare.get(size)?.pop();
      if (used === undefined) return Buffer.allocUnsafeSlow(size);
      keptBytes -= size;
      return used;
    },
    giveBack(buffer) {
      const same = spare.get(buffer.length);
      if (same === undefined || keptBytes + buffer.length > mostKept) return;
      same.push(buffer);
      keptBytes += buffer.length;
    },
  };
}
