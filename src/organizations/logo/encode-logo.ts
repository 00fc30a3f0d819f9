import { directoryErrors } from '#src/directory/index.js';
import { AppError } from '#src/platform/errors.js';
import { pictureHeader } from './picture-header.js';

/** The most bytes of an uploaded picture, and of the logo that is made of it. */
export const logoLimits = {
  uploadedBytes: 1_048_576,
  storedBytes: 262_144,
  /** Each side, in pixels, and both sides together. Read from the header, before anything is decoded. */
  side: 4_096,
  pixels: 8_388_608,
} as const;

/** A logo as it is served. */
export interface EncodedLogo {
  readonly bytes: Buffer;
  readonly width: number;
  readonly height: number;
}

/** Pages show a logo at most this large, on a screen with twice the pixels. */
const shown = { width: 800, height: 240 };
/** The longest time of a decoding, in seconds. libvips ends the work then. */
const longestSeconds = 5;
/** Qualities that are tried until the logo is small enough. */
const qualities = [90, 75, 50];

/**
 * Makes a WebP of an uploaded picture: only its pixels are left. What it says beside them, such as a place, a script or another file behind
 * it, is gone. It runs on the threads of Node.js.
 * @throws AppError `directory.pictureInvalid`
 */
export async function encodeLogo(uploaded: Buffer): Promise<EncodedLogo> {
  requireDecodable(uploaded);
  const sharp = await loadSharp();
  for (const quality of qualities) {
    const { data, info } = await sharp(uploaded, {
      // A second look at the same bounds, by the library.
      limitInputPixels: logoLimits.pixels,
      failOn: 'warning',
      pages: 1,
      sequentialRead: true,
    })
      .timeout({ seconds: longestSeconds })
      .autoOrient()
      .toColourspace('srgb')
      .resize({ ...shown, fit: 'inside', withoutEnlargement: true })
      .webp({ quality, alphaQuality: 100, effort: 4 })
      .toBuffer({ resolveWithObject: true })
      .catch((cause: unknown) => {
        throw pictureInvalid('The picture cannot be read: it is damaged, or takes too long', cause);
      });
    if (data.length <= logoLimits.storedBytes) return { bytes: data, width: info.width, height: info.height };
  }
  throw pictureInvalid('The picture needs too many bytes. Choose a simpler one');
}

/** @throws AppError `directory.pictureInvalid` unless the bytes are a still picture within the bounds */
function requireDecodable(bytes: Buffer): void {
  const { uploadedBytes, side, pixels } = logoLimits;
  if (bytes.length > uploadedBytes) throw pictureInvalid('The picture has more than 1 MiB');
  const header = pictureHeader(bytes);
  if (header === undefined) throw pictureInvalid('A logo is a PNG, a JPEG or a WebP');
  const { width, height, isAnimated } = header;
  if (isAnimated) throw pictureInvalid('The picture is animated');
  if (width < 1 || height < 1 || width > side || height > side || width * height > pixels)
    throw pictureInvalid(`A logo has at most ${side} pixels on each side, and ${pixels} in all`);
}

function pictureInvalid(detail: string, cause?: unknown): AppError {
  return new AppError(directoryErrors.pictureInvalid, { detail, ...(cause !== undefined && { cause }) });
}

type Sharp = typeof import('sharp').default;
let loaded: Promise<Sharp> | undefined;

/** Most processes never decode a picture. One thread works on a picture, and no reader but those of the three types exists. */
function loadSharp(): Promise<Sharp> {
  loaded ??= import('sharp').then(({ default: sharp }): Sharp => {
    sharp.concurrency(1);
    sharp.cache(false);
    sharp.block({ operation: ['VipsForeignLoad'] });
    sharp.unblock({
      operation: ['VipsForeignLoadPngBuffer', 'VipsForeignLoadJpegBuffer', 'VipsForeignLoadWebpBuffer'],
    });
    return sharp;
  });
  return loaded;
}
