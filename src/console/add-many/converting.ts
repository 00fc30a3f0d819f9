import type { UploadRules } from '#src/migration/convert/upload/convert-upload.js';
import type { UploadKind } from '#src/migration/convert/upload/recognize-upload.js';
import { runUploadTask } from '#src/migration/convert/upload/run-upload-task.js';
import type { GivenTask, UploadTaskResult } from '#src/migration/convert/upload/upload-tasks.js';
import type { OrganizationBounds } from '#src/migration/organization-bounds.js';
import { AppError } from '#src/platform/errors.js';
import { createKeyedSemaphore } from '#src/platform/work/keyed-semaphore.js';
import { consoleErrors } from '../http/errors.js';
import type { StoredUpload } from './stored-uploads.js';

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

export interface ConvertingDeps {
  readonly organizationBounds: Pick<OrganizationBounds, 'countConversion'>;
}

/** Reads a file that has arrived. It counts for the day, also if nothing can be read. @throws AppError `console.tooManyPages`, `import.organizationBusy` */
export async function readArrived(
  { organizationBounds }: ConvertingDeps,
  orgId: string,
  given: { readonly bytes: Uint8Array; readonly kind: UploadKind | undefined },
): Promise<Pick<UploadTaskResult, 'read' | 'fault'>> {
  await organizationBounds.countConversion(orgId);
  return inTurn(orgId, { task: 'read', ...given });
}

/** The lines of a file that have these names first. @throws AppError `console.tooManyPages` */
export async function linesOfNames(
  orgId: string,
  given: { readonly text: Uint8Array; readonly names: readonly string[] },
): Promise<ReadonlyMap<string, number>> {
  const { lines } = await inTurn(orgId, { task: 'lines', ...given });
  return lines ?? new Map();
}

/** Does a task about an uploaded file, in its turn. */
function inTurn(orgId: string, task: GivenTask): Promise<UploadTaskResult> {
  return ofOrganization.run(orgId, () => ofAll.run('all', () => runUploadTask(task)));
}

/**
 * What becomes of a file. Each conversion counts for the day.
 * @param options `isPreview`: makes no body
 * @throws AppError `console.tooManyPages`, `import.organizationBusy`
 */
export async function convertUploaded(
  { organizationBounds }: ConvertingDeps,
  { kind, text }: StoredUpload,
  options: { readonly orgId: string; readonly isPreview: boolean; readonly rules: UploadRules },
): Promise<Pick<UploadTaskResult, 'converted' | 'why'>> {
  if (kind === 'muster') throw new Error('A file of this service needs no conversion');
  await organizationBounds.countConversion(options.orgId);
  return inTurn(options.orgId, { task: 'convert', kind, text, options: { ...options, timeout: '2h' } });
}
