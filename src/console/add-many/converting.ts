import { type ConvertedUpload, convertUpload } from '#src/migration/convert/upload/convert-upload.js';
import { AppError } from '#src/platform/errors.js';
import { StartError } from '#src/platform/start-error.js';
import { createKeyedSemaphore } from '#src/platform/work/keyed-semaphore.js';
import { consoleErrors } from '../http/errors.js';
import type { KeptFile } from './kept-files.js';

const refuse = () => new AppError(consoleErrors.tooManyPages, { retryAfterSeconds: 10 });
/** One conversion of an organization, and one of all, at a time: each takes up to some seconds and a part of the temporary folder. */
const ofOrganization = createKeyedSemaphore({ atOnce: 1, waiting: 1, longestWaitMs: 20_000, refuse });
const ofAll = createKeyedSemaphore({ atOnce: 1, waiting: 50, longestWaitMs: 20_000, refuse });

/** Why nothing can be made of a file, in the words of the converter. */
export interface NotConverted {
  readonly why: string;
}

/** What becomes of a file. @param options `isPreview`: makes no body @throws AppError `console.tooManyPages` */
export async function convertKept(
  { kind, text }: KeptFile,
  options: { readonly orgId: string; readonly isPreview: boolean },
): Promise<ConvertedUpload | NotConverted> {
  if (kind === 'muster') throw new Error('A file of this service needs no conversion');
  const convert = () => convertUpload({ kind, text }, { ...options, timeout: '2h' });
  try {
    return await ofOrganization.run(options.orgId, () => ofAll.run('all', convert));
  } catch (error) {
    if (error instanceof StartError) return { why: error.message };
    throw error;
  }
}
