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

/** Files that are in memory while they arrive: each has up to 8 MiB. A client may send one for a minute, and no other waits for it. */
const arriving = { waiting: 0, longestWaitMs: 1, refuse };
const arrivingOfOrganization = createKeyedSemaphore({ ...arriving, atOnce: 2 });
const arrivingOfAll = createKeyedSemaphore({ ...arriving, atOnce: 8 });

/** Takes a file into memory, if not too many arrive. @throws AppError `console.tooManyPages` */
export function takeIn<T>(orgId: string, work: () => Promise<T>): Promise<T> {
  return arrivingOfOrganization.run(orgId, () => arrivingOfAll.run('all', work));
}

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
