import type { Job } from '#src/jobs/job.js';
import type { JobAttempt, JobsStore } from '#src/jobs/jobs.store.js';
import { AppError } from '#src/platform/errors.js';
import { tokenErrors } from '#src/tokens/errors.js';

/** The job has ended, another attempt has taken it over, or the process is about to end. The attempt must stop. */
export class AttemptLost extends Error {}

export interface AttemptWatch {
  /** Aborts with {@link AttemptLost}, or AppError `tokens.permissionMissing`. */
  readonly signal: AbortSignal;
  /** Passes the chunks on while the attempt holds the job. Otherwise it throws before their end. */
  guard(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer>;
  stop(): void;
}

const intervalMs = 500;

/**
 * Records the progress of an attempt twice a second. Stops the attempt if it does not hold an open job.
 * @param permitted whether the requester still has the permission
 */
export function watchAttempt(
  { jobs }: { jobs: Pick<JobsStore, 'advance'> },
  attempt: JobAttempt,
  {
    progress,
    permitted,
    stopping,
  }: {
    progress: () => Job['progress'];
    permitted: () => Promise<boolean>;
    stopping: AbortSignal | undefined;
  },
): AttemptWatch {
  const lost = new AbortController();
  const stop = () => lost.abort(new AttemptLost());
  if (stopping?.aborted) stop();
  stopping?.addEventListener('abort', stop);
  const check = async () => {
    if (!(await permitted())) lost.abort(new AppError(tokenErrors.permissionMissing));
    if (!(await jobs.advance(attempt, progress()))) stop();
  };
  // If MongoDB is away, reading the users fails by itself. The record is checked again before the end.
  const timer = setInterval(() => void check().catch(() => undefined), intervalMs);
  return {
    signal: lost.signal,
    async *guard(chunks) {
      for await (const chunk of chunks) {
        lost.signal.throwIfAborted();
        yield chunk;
      }
      await check();
      lost.signal.throwIfAborted();
    },
    stop() {
      clearInterval(timer);
      stopping?.removeEventListener('abort', stop);
    },
  };
}
