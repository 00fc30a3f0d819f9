/** What the first bytes of a picture say of it. */
export interface PictureHeader {
  readonly type: 'png' | 'jpeg' | 'webp';
  readonly width: number;
  readonly height: number;
  readonly isAnimated: boolean;
}

/**
 * Reads the header of a PNG (W3C PNG, section 11.2.1), a JPEG (ITU-T T.81, section B.2.2) or a WebP (RFC 9649). The bytes decide, and not
 * what a client says of them. Undefined for everything else, such as SVG.
 */
export function pictureHeader(bytes: Buffer): PictureHeader | undefined {
  try {
    return pngHeader(bytes) ?? jpegHeader(bytes) ?? webpHeader(bytes);
  } catch (error) {
    // The bytes end within the header.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

const pngSignature = Buffer.from('89504e470d0a1a0a', 'hex');

function pngHeader(bytes: Buffer): PictureHeader | undefined {
  if (!bytes.subarray(0, 8).equals(pngSignature) || bytes.toString('latin1', 12, 16) !== 'IHDR')
    return undefined;
  const data = bytes.indexOf('IDAT');
  // An animation is announced before the first data.
  const animation = bytes.indexOf('acTL');
  const isAnimated = animation !== -1 && (data === -1 || animation < data);
  return { type: 'png', width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20), isAnimated };
}

/** The most segments before the frame of a JPEG. */
const mostSegments = 1_000;

function jpegHeader(bytes: Buffer): PictureHeader | undefined {
  if (bytes.readUInt16BE(0) !== 0xffd8) return undefined;
  let at = 2;
  for (let segment = 0; segment < mostSegments; segment++) {
    if (bytes.readUInt8(at) !== 0xff) return undefined;
    const marker = bytes.readUInt8(at + 1);
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    // SOF0 to SOF15, without the tables and extensions among them.
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) {
      const [height, width] = [bytes.readUInt16BE(at + 5), bytes.readUInt16BE(at + 7)];
      return { type: 'jpeg', width, height, isAnimated: false };
    }
    // The scan begins, or the picture ends.
    if (marker === 0xda || marker === 0xd9) return undefined;
    at += 2 + Math.max(2, bytes.readUInt16BE(at + 2));
  }
  return undefined;
}

function webpHeader(bytes: Buffer): PictureHeader | undefined {
  if (bytes.toString('latin1', 0, 4) !== 'RIFF' || bytes.toString('latin1', 8, 12) !== 'WEBP')
    return undefined;
  const kind = bytes.toString('latin1', 12, 16);
  if (kind === 'VP8X') {
    const isAnimated = (bytes.readUInt8(20) & 0x02) !== 0;
    return {
      type: 'webp',
      width: 1 + bytes.readUIntLE(24, 3),
      height: 1 + bytes.readUIntLE(27, 3),
      isAnimated,
    };
  }
  if (kind === 'VP8L') {
    const sizes = bytes.readUInt32LE(21);
    const [width, height] = [1 + (sizes & 0x3fff), 1 + ((sizes >>> 14) & 0x3fff)];
    return { type: 'webp', width, height, isAnimated: false };
  }
  if (kind !== 'VP8 ') return undefined;
  const [width, height] = [bytes.readUInt16LE(26) & 0x3fff, bytes.readUInt16LE(28) & 0x3fff];
  return { type: 'webp', width, height, isAnimated: false };
}

/** The parts of a WebP that hold pixels (RFC 9649, section 2). All others, such as metadata, colour profiles and frames, hold more. */
const pixelChunks = new Set(['VP8X', 'ALPH', 'VP8 ', 'VP8L']);

/** Whether the bytes are a still WebP that has nothing beside its pixels: no metadata, and no other file behind it. */
export function hasOnlyPixels(bytes: Buffer): boolean {
  if (pictureHeader(bytes)?.type !== 'webp') return false;
  if (bytes.readUInt32LE(4) + 8 !== bytes.length) return false;
  const seen = new Set<string>();
  let at = 12;
  while (at + 8 <= bytes.length) {
    const kind = bytes.toString('latin1', at, at + 4);
    if (!pixelChunks.has(kind) || seen.has(kind)) return false;
    seen.add(kind);
    const length = bytes.readUInt32LE(at + 4);
    at += 8 + length + (length % 2);
  }
  return at === bytes.length;
}
