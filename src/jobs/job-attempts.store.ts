import type { Sealer } from '#src/keys/sealer.js';
import type { Clock } from '#src/platform/clock.js';
import type { Transaction } from '#src/platform/mongo/mongo.js';
import type { Job } from './job.js';
import { type JobCollections, toJob, whereDoable, whereOpen } from './job-document.store.js';

/** One run of a job by a worker. A later attempt takes the job over. The earlier one can then record nothing more. */
export interface JobAttempt {
  readonly jobId: string;
  readonly attemptId: string;
}

/** A job that an attempt has taken over. */
export interface StartedJob extends Job {
  /** The input of a job that keeps something. Of other jobs, `body` of the store reads it. */
  readonly held?: Buffer;
}

/**
 * What attempts record. The methods that take an attempt answer false if the job has ended, another attempt has taken it over or
 * its deadline has passed. The caller must then abort its transaction.
 */
export interface JobAttempts {
  /** Takes an open job over. Undefined if the job has ended or its deadline has passed. */
  start(attempt: JobAttempt): Promise<StartedJob | undefined>;
  /** Records results in the transaction that applied the parts, so that each part is applied once, even after a crash. */
  recordParts(
    attempt: JobAttempt,
    parts: { results: ReadonlyMap<number, unknown>; errors: number },
    transaction: Transaction,
  ): Promise<boolean>;
  /** Records the progress of an attempt. @param result what the job has come to so far, as part 0 */
  advance(attempt: JobAttempt, progress: Job['progress'], result?: unknown): Promise<boolean>;
  /**
   * Counts that the job has stalled: its worker did not renew its lock.
   * @param stall differs for each time, so that none is counted twice
   * @returns how often the job has stalled since something was last recorded
   */
  countStall(id: string, stall: string): Promise<number>;
  /** Ends the job of an attempt with its only result, which becomes part 0. */
  endWithResult(
    attempt: JobAttempt,
    end: { state: 'completed' | 'failed'; result: unknown; progress: Job['progress'] },
    transaction: Transaction,
  ): Promise<boolean>;
}

/** Returns the part of the jobs store that workers use. */
export function createJobAttempts(
  { jobs, bodies }: JobCollections,
  sealer: Sealer,
  clock: Clock,
): JobAttempts {
  return {
    async start({ jobId, attemptId }) {
      const update = { $set: { attemptId, state: 'running' as const } };
      const document = await jobs.findOneAndUpdate({ _id: jobId, ...whereDoable(clock) }, update, {
        returnDocument: 'after',
      });
      const job = toJob(document);
      const held = document?.held && sealer.unseal(Buffer.from(document.held.buffer));
      return job && held ? { ...job, held } : job;
    },

    async recordParts({ jobId, attemptId }, { results, errors }, transaction) {
      const parts = Object.fromEntries([...results].map(([index, result]) => [`parts.${index}`, result]));
      const updated = await jobs.updateOne(
        { _id: jobId, attemptId, ...whereDoable(clock) },
        { $set: parts, $inc: { 'progress.processed': results.size, 'progress.errors': errors } },
        { session: transaction },
      );
      return updated.matchedCount === 1;
    },

    async advance({ jobId, attemptId }, progress, result) {
      const filter = { _id: jobId, attemptId, ...whereDoable(clock) };
      const set = { progress, ...(result !== undefined && { 'parts.0': result }) };
      return (await jobs.updateOne(filter, { $set: set })).matchedCount === 1;
    },

    async countStall(id, stall) {
      const job = await jobs.findOne({ _id: id, ...whereOpen }, { projection: { progress: 1, losses: 1 } });
      if (job === null) return 0;
      const { progress, losses: stalls } = job;
      const inARow = stalls?.processed === progress.processed ? stalls.count : 0;
      if (stalls?.last === stall) return inARow;
      const { processed } = progress;
      await jobs.updateOne({ _id: id }, { $set: { losses: { last: stall, count: inARow + 1, processed } } });
      return inARow + 1;
    },

    async endWithResult({ jobId, attemptId }, { result, ...end }, transaction) {
      const updated = await jobs.updateOne(
        { _id: jobId, attemptId, ...whereDoable(clock) },
        { $set: { ...end, finished: clock.now(), 'parts.0': result } },
        { session: transaction },
      );
      if (updated.matchedCount === 0) return false;
      await bodies.deleteOne({ _id: jobId }, { session: transaction });
      return true;
    },
  };
}
