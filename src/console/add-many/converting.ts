import { runUploadTask } from '#src/migration/convert/upload/run-upload-task.js';
import type { GivenTask, UploadTaskResult } from '#src/migration/convert/upload/upload-tasks.js';
import { AppError } from '#src/platform/errors.js';
import { createKeyedSemaphore } from '#src/platform/work/keyed-semaphore.js';
import { consoleErrors } from '../http/errors.js';
import type { KeptFile } from './kept-files.js';

const refuse = () => new AppError(consoleErrors.tooManyPages, { retryAfterSeconds: 10 });
/** One task of an organization, and one of all, at a time: each takes up to some seconds and a part of the temporary folder. */
const ofOrganization = createKeyedSemaphore({ atOnce: 1, waiting: 2, longestWaitMs: 20_000, refuse });
const ofAll = createKeyedSemaphore({ atOnce: 1, waiting: 50, longestWaitMs: 20_000, refuse });

/** Does a task about an uploaded file, in its turn. @throws AppError `console.tooManyPages` */
export function inTurn(orgId: string, task: GivenTask): Promise<UploadTaskResult> {
  return ofOrganization.run(orgId, () => ofAll.run('all', () => runUploadTask(task)));
}

/** What becomes of a file. @param options `isPreview`: makes no body @throws AppError `console.tooManyPages` */
export function convertKept(
  { kind, text }: KeptFile,
  options: { readonly orgId: string; readonly isPreview: boolean },
): Promise<Pick<UploadTaskResult, 'converted' | 'why'>> {
  if (kind === 'muster') throw new Error('A file of this service needs no conversion');
  return inTurn(options.orgId, { task: 'convert', kind, text, options: { ...options, timeout: '2h' } });
}
