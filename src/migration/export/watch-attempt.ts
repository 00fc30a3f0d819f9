import type { Job } from '#src/jobs/job.js';
import type { JobAttempt, JobsStore } from '#src/jobs/jobs.store.js';
import { AppError } from '#src/platform/errors.js';
import { tokenErrors } from '#src/tokens/errors.js';

/** The job was closed or taken over, or the process is about to end: what this attempt does is of no use any more. */
export class AttemptLost extends Error {}

export interface AttemptWatch {
  /** Aborts with {@link AttemptLost}, or AppError `tokens.permissionMissing`. */
  readonly signal: AbortSignal;
  /** The chunks as long as the attempt is the job's, and an error before their end otherwise. */
  guard(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer>;
  stop(): void;
}

const intervalMs = 500;

/**
 * Tells the job's record how far an attempt is, and stops the attempt when that record is another's or closed.
 * @param permitted whether who asked for it may still have it
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
  // A database that is away stops whoever reads from it; the record is looked at again before the end.
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
