import type { Editor } from '#src/audit/event.js';
import type { EventsStore } from '#src/audit/events.store.js';
import { newEvent } from '#src/audit/new-event.js';
import type { Clock } from '#src/platform/clock.js';
import type { Mongo } from '#src/platform/mongo/mongo.js';
import type { JobsStore } from './jobs.store.js';

/** Cancels an open job and tells who did, in one transaction; one that is closed already stays as it is. */
export async function cancelJob(
  { mongo, jobs, events, clock }: { mongo: Mongo; jobs: JobsStore; events: EventsStore; clock: Clock },
  jobId: string,
  editor: Editor,
): Promise<void> {
  const now = clock.now();
  await mongo.transaction(async (transaction) => {
    const job = await jobs.cancel(jobId, now, transaction);
    if (job === undefined) return;
    const event = newEvent('job.cancelled', {
      aggregate: 'job',
      id: job.id,
      orgId: job.orgId,
      editor,
      sequence: 1,
      date: now,
      payload: { kind: job.kind },
    });
    await events.append([event], transaction);
  });
}
