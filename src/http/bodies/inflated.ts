import { createGunzip } from 'node:zlib';
import { AppError } from '#src/platform/errors.js';
import { expandsTooMuch, largestExpansion } from '#src/platform/expansion.js';
import { httpErrors } from '../base/errors.js';

/**
 * Yields what gzip compressed. It holds one block of the source and a few blocks of 16 KiB. It takes the next block of the
 * source after the caller has taken everything that came from the last one.
 * @throws AppError `http.bodyMalformed` if the source is not gzip, ends too early, goes on after its last member, or becomes more than
 * 200 times as long
 * @throws the errors of the source
 */
export async function* inflated(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const gunzip = createGunzip();
  let taken = 0;
  let made = 0;
  let failure: unknown;
  let wake = () => {};
  gunzip.on('readable', () => wake()).on('end', () => wake());
  gunzip.on('error', (error) => {
    failure = error;
    wake();
  });

  async function* outputUntil(isDone: () => boolean): AsyncGenerator<Uint8Array> {
    for (;;) {
      const piece = gunzip.read() as Buffer | null;
      if (failure !== undefined) throw malformed('The body is not a whole gzip text', failure);
      if (piece !== null) {
        made += piece.length;
        if (expandsTooMuch(taken, made))
          throw malformed(`The body becomes more than ${largestExpansion} times as long as it is`);
        yield piece;
      } else if (isDone() || gunzip.readableEnded) {
        return;
      } else {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    }
  }

  try {
    for await (const chunk of source) {
      if (gunzip.readableEnded) throw goesOn();
      taken += chunk.length;
      let isTaken = false;
      gunzip.write(chunk, () => {
        isTaken = true;
        wake();
      });
      yield* outputUntil(() => isTaken);
    }
    gunzip.end();
    yield* outputUntil(() => false);
    if (gunzip.bytesWritten < taken) throw goesOn();
  } finally {
    gunzip.destroy();
  }
}

/** The error about bytes after the last member, be they zeros or not (RFC 1952 section 2.2 knows no padding). */
export function goesOn(): AppError {
  return malformed('The body goes on after the end of the gzip text');
}

function malformed(detail: string, cause?: unknown): AppError {
  return new AppError(httpErrors.bodyMalformed, { detail, cause });
}
