import { directoryErrors } from '#src/directory/index.js';
import { AppError } from '#src/platform/errors.js';
import { hasOnlyPixels, pictureHeader } from './picture-header.js';

/** The most bytes of an uploaded picture, and of the logo that is made of it. */
export const logoLimits = {
  uploadedBytes: 1_048_576,
  storedBytes: 65_536,
  /** Each side, in pixels, and both sides together. Read from the header, before anything is decoded. */
  side: 4_096,
  pixels: 8_388_608,
} as const;

/** Pages show a logo in at most 336 x 48 pixels. This is enough for a screen with three times as many. */
const storedSize = { width: 1_000, height: 144 };
/** The longest time of each step, in seconds. libvips ends the work then. */
const longestSeconds = 5;
/** Qualities of colours and of transparency that are tried until the logo is small enough. */
const qualities = [
  { quality: 90, alphaQuality: 100 },
  { quality: 75, alphaQuality: 80 },
  { quality: 50, alphaQuality: 40 },
];

/**
 * Makes a WebP of an uploaded picture: only its pixels are left. What the file has beside them, such as a place, a script or another file
 * behind it, is gone. The picture is decoded once, on the threads of Node.js.
 * @throws AppError `directory.pictureInvalid`
 */
export async function encodeLogo(uploaded: Buffer): Promise<Buffer> {
  requireDecodable(uploaded, logoLimits);
  const sharp = await loadSharp();
  const { data, info } = await sharp(uploaded, reading)
    .timeout({ seconds: longestSeconds })
    .autoOrient()
    .resize({ ...storedSize, fit: 'inside', withoutEnlargement: true })
    .toColourspace('srgb')
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true })
    .catch(refuseUnreadable);
  const { width, height, channels } = info;
  for (const quality of qualities) {
    const logo = await sharp(data, { raw: { width, height, channels } })
      .timeout({ seconds: longestSeconds })
      .webp({ ...quality, effort: 4 })
      .toBuffer()
      .catch(refuseUnreadable);
    if (logo.length <= logoLimits.storedBytes) return logo;
  }
  throw pictureInvalid('The picture needs too many bytes. Choose a simpler one');
}

/**
 * Checks that bytes are a logo as {@link encodeLogo} makes it, such as those of an export: they can be decoded, and have nothing beside
 * their pixels.
 * @throws AppError `directory.pictureInvalid`
 */
export async function requireEncodedLogo(bytes: Buffer): Promise<void> {
  if (bytes.length > logoLimits.storedBytes) throw pictureInvalid('The logo has more than 64 KiB');
  if (!hasOnlyPixels(bytes)) throw pictureInvalid('The logo is no WebP as an export has it');
  requireDecodable(bytes, { side: storedSize.width, pixels: storedSize.width * storedSize.height });
  const sharp = await loadSharp();
  await sharp(bytes, reading).timeout({ seconds: longestSeconds }).raw().toBuffer().catch(refuseUnreadable);
}

/** How the library reads a file: within the same bounds as the header, and without tolerance for damage. */
const reading = {
  limitInputPixels: logoLimits.pixels,
  failOn: 'warning',
  pages: 1,
  sequentialRead: true,
} as const;

/** @throws AppError `directory.pictureInvalid` unless the bytes are a still picture within the bounds */
function requireDecodable(bytes: Buffer, { side, pixels }: { side: number; pixels: number }): void {
  if (bytes.length > logoLimits.uploadedBytes) throw pictureInvalid('The picture has more than 1 MiB');
  const header = pictureHeader(bytes);
  if (header === undefined) throw pictureInvalid('A logo is a PNG, a JPEG or a WebP');
  const { width, height, isAnimated } = header;
  if (isAnimated) throw pictureInvalid('The picture is animated');
  if (width < 1 || height < 1 || width > side || height > side || width * height > pixels)
    throw pictureInvalid(`A logo has at most ${side} pixels on each side, and ${pixels} in all`);
}

function refuseUnreadable(cause: unknown): never {
  throw pictureInvalid('The picture cannot be read: it is damaged, or takes too long', cause);
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
