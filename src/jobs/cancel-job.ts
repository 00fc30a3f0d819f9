import type { Editor } from '#src/audit/event.js';
import type { EventsStore } from '#src/audit/events.store.js';
import { newEvent } from '#src/audit/new-event.js';
import type { Clock } from '#src/platform/clock.js';
import type { Mongo } from '#src/platform/mongo/mongo.js';
import type { JobsStore } from './jobs.store.js';

/** Ends an open job and records the event `job.cancelled`, in one transaction. A job that has ended stays as it is. */
export async function cancelJob(
  { mongo, jobs, events, clock }: { mongo: Mongo; jobs: JobsStore; events: EventsStore; clock: Clock },
  jobId: string,
  editor: Editor,
): Promise<void> {
  await mongo.transactionOf(editor.userId, async (transaction) => {
    const job = await jobs.end(jobId, 'cancelled', transaction);
    if (job === undefined) return;
    const event = newEvent('job.cancelled', {
      aggregate: 'job',
      id: job.id,
      orgId: job.orgId,
      editor,
      sequence: 1,
      date: clock.now(),
      payload: { kind: job.kind },
    });
    await events.append([event], transaction);
  });
}
