import type { Job } from '#src/jobs/job.js';
import type { JobAttempt, JobsStore } from '#src/jobs/jobs.store.js';
import type { Logger } from '#src/platform/logger.js';

/** Claims the job of an attempt and reads its input. Undefined if the job has ended or its deadline has passed. */
export async function claimJob(
  { jobs }: { jobs: JobsStore },
  attempt: JobAttempt,
  logger: Logger,
): Promise<{ job: Job; body: Buffer } | undefined> {
  const job = await jobs.start(attempt);
  const body = job && (await jobs.body(job.id));
  if (job !== undefined && body !== undefined) return { job, body };
  logger.info('the job has ended already');
  return undefined;
}
