import { cancelJob } from '#src/jobs/cancel-job.js';
import { type Removed, readRemoval, removalEvent, sweepOrganization } from '#src/removal/index.js';
import type { WorkerRooms } from '#src/rooms.js';
import { claimJob } from './claim-job.js';
import type { JobHandler } from './run-job.js';

/** Requests that were inside when the removal began may take so much longer than the longest job, in milliseconds. */
const marginMs = 2_000;

/**
 * Removes an organization that nobody finds any more. Its open jobs end first. The record of the organization goes last, in one
 * transaction with the event `org.removed` and the end of the job, so that an interrupted removal continues.
 */
export function organizationRemovalWorker(
  deps: Pick<
    WorkerRooms,
    | 'applicationGrants'
    | 'caches'
    | 'clock'
    | 'config'
    | 'consents'
    | 'events'
    | 'jobs'
    | 'mongo'
    | 'organizationContents'
    | 'organizations'
    | 'quotas'
    | 'revocations'
    | 'sessions'
  >,
): JobHandler {
  const { jobs, organizations, events, mongo, clock, config } = deps;
  return async (attempt, logger, stopping) => {
    const claimed = await claimJob(deps, attempt, logger);
    if (claimed === undefined) return;
    const { orgId, name, editor } = readRemoval(claimed.body);
    const removal = await organizations.findRemoval(orgId);
    if (removal?.jobId !== attempt.jobId) {
      await jobs.end(attempt.jobId, 'cancelled');
      return;
    }
    await deps.caches.organizations.invalidate(orgId);
    const until = new Date(removal.since.getTime() + config.requestTimeoutSeconds * 1000 + marginMs);
    const removed = await sweepOrganization(deps, {
      orgId,
      until,
      before: (claimed.job.parts['0'] as { removed: Removed } | undefined)?.removed ?? {},
      async progress(removed) {
        for (const job of await jobs.openOf(orgId)) await cancelJob(deps, job.id, editor);
        const progress = { processed: sumOf(removed), total: 0, errors: 0 };
        return stopping?.aborted !== true && (await jobs.advance(attempt, progress, { removed }));
      },
    });
    if (removed === undefined) return;
    const processed = sumOf(removed);
    await mongo.transaction(async (transaction) => {
      const progress = { processed, total: processed, errors: 0 };
      const end = { state: 'completed' as const, result: { removed }, progress };
      if (!(await jobs.endWithResult(attempt, end, transaction))) return;
      await organizations.remove(orgId, attempt.jobId, transaction);
      const payload = { name, removed };
      const event = removalEvent('org.removed', { id: orgId, editor, date: clock.now(), payload });
      await events.append([event], transaction);
    });
    await deps.caches.organizations.invalidate(orgId);
    await deps.quotas.changed(orgId);
  };
}

function sumOf(removed: Removed): number {
  return Object.values(removed).reduce((sum, count) => sum + count, 0);
}
