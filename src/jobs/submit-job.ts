import type { Logger } from '#src/platform/logger.js';
import type { Mongo, Transaction } from '#src/platform/mongo/mongo.js';
import { isStoreUnavailable } from '#src/platform/unavailable.js';
import type { JobQueue } from './job-queue.js';
import type { JobsStore, NewJob } from './jobs.store.js';

export interface SubmitJobDeps {
  readonly mongo: Mongo;
  readonly jobs: JobsStore;
  readonly jobQueue: JobQueue;
  readonly logger: Logger;
  readonly quotas: {
    within<T>(orgId: string, adds: { openJobs: number }, work: () => Promise<T>): Promise<T>;
  };
}

interface Submission<J extends NewJob = NewJob> {
  readonly job: J;
  /** Writes in the transaction that stores the job. */
  readonly alongside?: (transaction: Transaction) => Promise<void>;
  /** Removes what was prepared. Called if a quota refuses the job, before anything of the job is stored. It never fails. */
  readonly refused?: () => Promise<void>;
}

/**
 * Stores a job and queues it. A stored job is submitted: if it cannot be queued at once, the workers queue it later
 * (docs/decisions/0012-a-stored-job-is-submitted.md).
 * @param prepare makes the job; called only if the queue responds
 * @returns the job
 * @throws the queue's error if Redis is away, before anything is stored; AppError `directory.quotaExceeded`
 */
export async function submitJob<J extends NewJob>(
  deps: SubmitJobDeps,
  prepare: () => Submission<J> | Promise<Submission<J>>,
): Promise<J> {
  const { jobQueue, logger } = deps;
  await jobQueue.ping();
  const { job, alongside, refused } = await prepare();
  const { id, kind, orgId, queuedUnder = orgId } = job;
  let isAllowed = false;
  try {
    await deps.quotas.within(queuedUnder, { openJobs: 1 }, () => {
      isAllowed = true;
      return store(deps, job, alongside);
    });
  } catch (error) {
    if (!isAllowed) await refused?.();
    throw error;
  }
  try {
    await jobQueue.enqueue({ id, kind, queuedUnder });
  } catch (error) {
    // The workers queue the job later. Anything but a store that is away is a fault of the program.
    const level = isStoreUnavailable(error) ? 'warn' : 'error';
    logger[level]({ err: error, jobId: id }, 'a job could not be queued at once');
  }
  return job;
}

async function store(
  { mongo, jobs }: SubmitJobDeps,
  job: NewJob,
  alongside: Submission['alongside'],
): Promise<void> {
  if (alongside === undefined) {
    await jobs.insert(job);
    return;
  }
  await mongo.transactionOf(job.queuedUnder ?? job.orgId, async (transaction) => {
    await alongside(transaction);
    await jobs.insert(job, transaction);
  });
}
