import { newEvent } from '#src/audit/new-event.js';
import type { Container } from '#src/container.js';

/** Counts the download of an export and records the event `export.downloaded`, in one transaction. */
export async function recordDownload(
  { clock, events, jobs, mongo }: Pick<Container, 'clock' | 'events' | 'jobs' | 'mongo'>,
  jobId: string,
  download: { userId: string; withPasswords: boolean; withOtp: boolean; start: number },
): Promise<void> {
  const { userId, ...payload } = download;
  const date = clock.now();
  await mongo.transaction(async (transaction) => {
    const event = newEvent('export.downloaded', {
      aggregate: 'job',
      id: jobId,
      editor: { userId, service: 'export' },
      // The first event says that the export was completed.
      sequence: 1 + (await jobs.countDownload(jobId, transaction)),
      date,
      payload,
    });
    await events.append([event], transaction);
  });
}
