import { AppError } from '#src/platform/errors.js';
import { createKeyedSemaphore } from '#src/platform/work/keyed-semaphore.js';
import { consoleErrors } from './errors.js';
import type { Upload } from './uploads.js';

/** The longest time in which a file must arrive. */
const longestMs = 60_000;

const refuse = () => new AppError(consoleErrors.tooManyPages, { retryAfterSeconds: 5 });
/** Such files are in memory while they arrive: two of one organization, and 40 of all. */
const ofOne = createKeyedSemaphore({ atOnce: 2, waiting: 10, longestWaitMs: 10_000, refuse });
const ofAll = createKeyedSemaphore({ atOnce: 40, waiting: 100, longestWaitMs: 10_000, refuse });

/**
 * Reads a small file of a form, and hands its bytes to `use`. There are none if the form has no file. They are undefined if the file is larger
 * than `mostBytes`, or takes longer than a minute.
 * @throws AppError `console.uploadMalformed`, `console.tooManyPages`
 */
export function withSmallFile<T>(
  { orgId, file, mostBytes }: { orgId: string; file: Upload['file']; mostBytes: number },
  use: (bytes: Buffer | undefined) => Promise<T>,
): Promise<T> {
  return ofOne.run(orgId, () => ofAll.run('', async () => use(await bytesOf(file, mostBytes))));
}

async function bytesOf(file: Upload['file'], mostBytes: number): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  const latest = Date.now() + longestMs;
  for await (const chunk of file ?? []) {
    length += (chunk as Buffer).length;
    if (length > mostBytes || Date.now() > latest) return undefined;
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks);
}
