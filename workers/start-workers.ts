import { type ConnectionOptions, Worker } from 'bullmq';
import { type JobDefinition, type JobKind, jobCatalogue } from '#src/jobs/catalogue.js';
import { createFairQueue } from '#src/jobs/fair-queue.js';
import { queuePrefix } from '#src/jobs/job-queue.js';
import { inTime } from '#src/platform/in-time.js';
import { connectRedis } from '#src/platform/redis/redis.js';
import type { WorkerRooms } from '#src/rooms.js';
import { exportWorker } from './export.worker.js';
import { endImports, importWorker } from './import.worker.js';
import { importPartWorker } from './import-part.worker.js';
import { offerAgain } from './offer-again.js';
import { organizationRemovalWorker } from './organization-removal.worker.js';
import { policyTrialWorker } from './policy-trial.worker.js';
import { recoverJobs } from './recover-jobs.js';
import { type JobHandler, type QueuedData, runJob } from './run-job.js';
import { scimBulkWorker } from './scim-bulk.worker.js';
import { startScheduledJobs } from './start-scheduled-jobs.js';
import { userActionsWorker } from './user-actions.worker.js';

/** Another worker takes over the job of a dead worker after about this time. */
const lockMs = 6_000;
/** The longest time that connections get to close when no job runs. Without Redis they never report their end. */
const closeLimitMs = 5_000;

/** What an attempt of a job tells the queue. `ended`: nobody need look whether the job is open. */
type Outcome = 'ended' | null;

const workersByKind: Record<JobKind, (deps: WorkerRooms) => JobHandler> = {
  'scim-bulk': scimBulkWorker,
  import: importWorker,
  verify: importWorker,
  'import-part': importPartWorker,
  export: exportWorker,
  'organization-removal': organizationRemovalWorker,
  'user-actions': userActionsWorker,
  'policy-trial': policyTrialWorker,
};

/**
 * Starts one BullMQ worker for each kind of job, and the scheduled jobs. `close` waits for the jobs in flight and queues
 * those again that were left open.
 */
export function startWorkers(deps: WorkerRooms): { close(): Promise<void> } {
  const { config, logger } = deps;
  const connection = connectRedis(config.redisUrl, 'patient');
  const warn = (error: Error) => logger.warn({ err: error }, 'worker connection failed');
  connection.on('error', warn);
  const prefix = queuePrefix(config.redisPrefix);
  const fairQueue = createFairQueue(deps.redis, prefix);
  const stopping = new AbortController();
  const withSignal =
    (handler: JobHandler) =>
    (...[attempt, log]: Parameters<JobHandler>) =>
      handler(attempt, log, stopping.signal);
  const running = new Set<Promise<void>>();
  const whileRunning = (work: Promise<void>) => {
    running.add(work);
    return work.finally(() => running.delete(work));
  };
  const workers = (Object.keys(jobCatalogue) as JobKind[]).map((kind) => {
    const handler = workersByKind[kind](deps);
    const { concurrency = config.workerConcurrency, givesWay = false }: JobDefinition = jobCatalogue[kind];
    const last = new Set<string>();
    const worker = new Worker<QueuedData, Outcome>(
      kind,
      async (job) => {
        let outcome: Outcome = null;
        await whileRunning(
          runJob(deps, withSignal(handler), job, () => {
            outcome = 'ended';
          }),
        );
        if (stopping.signal.aborted) last.add(job.data.jobId);
        return outcome;
      },
      {
        connection: connection as ConnectionOptions,
        prefix,
        concurrency,
        lockDuration: lockMs,
        stalledInterval: lockMs / 2,
        maxStalledCount: 100,
      },
    );
    worker.on('error', warn);
    if (givesWay) {
      worker.on('completed', ({ data: { jobId } }, outcome) => {
        if (outcome !== 'ended') void whileRunning(offerAgain(deps, [jobId]));
      });
    }
    // Without Redis the order is less fair for a while. Nothing else depends on it.
    worker.on('active', (job) => void fairQueue.advanceTo(kind, job.priority).catch(warn));
    worker.on('drained', () => void fairQueue.reset(kind).catch(warn));
    return {
      async close() {
        await worker.close();
        // Until the worker has closed, the queue has these jobs and would ignore them.
        await offerAgain(deps, last);
      },
    };
  });
  const scheduled = startScheduledJobs(deps);
  const stopRecovery = recoverJobs(deps, () => endImports(deps));
  return {
    async close() {
      stopping.abort();
      stopRecovery();
      const closed = Promise.allSettled([...workers, scheduled].map((worker) => worker.close()));
      while (running.size > 0) await Promise.allSettled(running);
      await inTime(closed, closeLimitMs).catch(() => undefined);
      connection.disconnect();
    },
  };
}
