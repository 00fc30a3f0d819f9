import { deflateRawSync, inflateRawSync } from 'node:zlib';

/** The longest text that is kept as it is. Compression would save an address some hundred characters, and takes longer than a seal. In bytes. */
const longestStored = 1_000;
/** The header of a block without compression (RFC 1951 section 3.2.4): the last one of the text, then its length and the complement of it. */
const headerBytes = 5;
const lastStored = 1;

/**
 * Returns a text in the format DEFLATE (RFC 1951). A short one is one block without compression, which every program for the format reads.
 */
export function deflateSmall(text: string): Buffer {
  const bytes = Buffer.byteLength(text);
  if (bytes > longestStored) return deflateRawSync(text);
  const block = Buffer.allocUnsafe(headerBytes + bytes);
  block.writeUInt8(lastStored);
  block.writeUInt16LE(bytes, 1);
  block.writeUInt16LE(bytes ^ 0xffff, 3);
  block.write(text, headerBytes);
  return block;
}

/**
 * Returns the text of {@link deflateSmall}, or of any other program for the format.
 * @param mostBytes of the text
 * @throws the errors of zlib for other bytes, and for a longer text
 */
export function inflateSmall(deflated: Buffer, mostBytes: number): string {
  const isOneBlock =
    deflated[0] === lastStored &&
    deflated.length <= headerBytes + longestStored &&
    deflated.readUInt16LE(1) === deflated.length - headerBytes;
  return isOneBlock
    ? deflated.toString('utf8', headerBytes)
    : inflateRawSync(deflated, { maxOutputLength: mostBytes }).toString();
}
