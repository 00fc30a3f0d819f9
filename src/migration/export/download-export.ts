import type { EventsStore } from '#src/audit/events.store.js';
import { newEvent } from '#src/audit/new-event.js';
import { inLine } from '#src/directory/index.js';
import { isOpen } from '#src/jobs/job.js';
import type { JobsStore } from '#src/jobs/jobs.store.js';
import type { StagingStore } from '#src/jobs/staging.store.js';
import type { Clock } from '#src/platform/clock.js';
import { AppError } from '#src/platform/errors.js';
import type { Mongo, Transaction } from '#src/platform/mongo/mongo.js';
import { exportErrors } from './export-errors.js';
import { requireExportResult } from './export-result.js';

interface DownloadExportDeps {
  readonly mongo: Mongo;
  readonly jobs: Pick<JobsStore, 'find' | 'countDownload'>;
  readonly staging: Pick<StagingStore, 'has' | 'stream'>;
  readonly events: EventsStore;
  readonly clock: Clock;
}

/** What is in an export that others must not read. */
export interface ExportContents {
  /** Whether it is a file of passkeys. */
  readonly withPasskeys: boolean;
  readonly withPasswords: boolean;
  readonly withOtp: boolean;
}

/**
 * Opens what an export wrote, and records `export.downloaded` before anyone reads it.
 * @param request `start` is the first byte wanted. `beforeRead` throws if the caller may not read these contents
 * @returns the bytes of the whole export, and a stream of it from `start` on
 * @throws AppError `export.resultMissing`, `export.rangeInvalid`, and what
 * {@link requireExportResult} throws
 */
export async function downloadExport(
  { mongo, jobs, staging, events, clock }: DownloadExportDeps,
  {
    jobId,
    start,
    userId,
    beforeRead,
  }: {
    jobId: string;
    start: number;
    userId: string;
    beforeRead: (contents: ExportContents) => void;
  },
): Promise<{ length: number; body: AsyncIterable<Buffer> }> {
  const job = await jobs.find(jobId);
  if (job === undefined || job.kind !== 'export' || isOpen(job)) {
    throw new AppError(exportErrors.resultMissing);
  }
  const { staged, counts, withPasswords, withOtp } = requireExportResult(job);
  if (staged === undefined || !(await staging.has(staged.id))) {
    throw new AppError(exportErrors.resultMissing);
  }
  const withPasskeys = counts.webauthnCredentials !== undefined;
  beforeRead({ withPasskeys, withPasswords, withOtp });
  const { id, length } = staged;
  if (start >= length) throw new AppError(exportErrors.rangeInvalid);
  const date = clock.now();
  const record = async (transaction: Transaction) => {
    const event = newEvent('export.downloaded', {
      aggregate: 'job',
      id: jobId,
      ...(job.orgId !== '*' && { orgId: job.orgId }),
      editor: { userId, service: 'export' },
      // The first event says that the export was completed.
      sequence: 1 + (await jobs.countDownload(jobId, transaction)),
      date,
      payload: { withPasswords, withOtp, start },
    });
    await events.append([event], transaction);
  };
  // Each download changes the job. A client may ask for several ranges at once.
  await inLine(['job', jobId, userId], () => mongo.transactionOf(job.orgId, record));
  return { length, body: staging.stream(id, { start, end: length }) };
}
