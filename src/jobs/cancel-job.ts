import type { Editor } from '#src/audit/event.js';
import type { EventsStore } from '#src/audit/events.store.js';
import type { Clock } from '#src/platform/clock.js';
import { newId } from '#src/platform/ids.js';
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
    const event = {
      id: newId(),
      type: 'job.cancelled' as const,
      aggregate: { id: job.id, type: 'job' as const, resourceOwner: job.orgId },
      editor,
      sequence: 1,
      creationDate: now,
      payload: { kind: job.kind },
    };
    await events.append([event], transaction);
  });
}
