import { AppError } from '#src/platform/errors.js';
import { httpErrors } from '../base/errors.js';

/**
 * A chunk takes as much time as some hundred bytes. Beyond the first ones, chunks must therefore have this length on average,
 * in bytes.
 */
const leastChunk = 16;
const freeChunks = 1_000;

/**
 * Returns a function that returns the fault of a body with one more chunk: too many bytes, or too many chunks for them. The
 * bytes are those that the client sends. A gzip body may have many bytes and decompress to nothing, so the
 * received bytes are counted.
 * @param limit the most bytes
 */
export function createChunkCheck(limit: number): (chunk: Buffer) => AppError | undefined {
  let bytes = 0;
  let chunks = 0;
  return (chunk) => {
    if (++chunks > freeChunks + bytes / leastChunk) return brokenUp();
    bytes += chunk.length;
    return bytes > limit ? tooLarge(limit) : undefined;
  };
}

/** The fault of a body that has more bytes than its route takes. */
export function tooLarge(limit: number): AppError {
  return new AppError(httpErrors.bodyTooLarge, { detail: `The body has more than ${limit} bytes` });
}

function brokenUp(): AppError {
  const detail = `The body comes in too small pieces: fewer than ${leastChunk} bytes on average`;
  return new AppError(httpErrors.bodyMalformed, { detail });
}
