import { isOpen, type Job } from '#src/jobs/job.js';
import { type JobViews, type ShownJob, showJob, withRate } from '#src/jobs/job-view.js';
import type { Clock } from '#src/platform/clock.js';
import { type PieceReply, sendPieces } from '../http/send-pieces.js';

interface ShowJobDeps {
  readonly views: JobViews;
  readonly clock: Clock;
}

/** Answers a job with its result, once it has ended. A result that may be large is sent in pieces. */
export async function answerJob(
  { views, clock }: ShowJobDeps,
  reply: PieceReply,
  { found, extent = 'full' }: { found: Job; extent?: 'full' | 'summary' | undefined },
) {
  const job = await showJob(views, found);
  const shown = jobToResponse({ ...job, progress: ratedProgress(job, clock) });
  if (isOpen(found)) return shown;
  const view = views[found.kind];
  if (extent === 'summary' && view?.resultSummary !== undefined) {
    return { ...shown, result: await view.resultSummary(found) };
  }
  const pieces = view?.resultPieces?.(found);
  if (pieces !== undefined) return sendPieces(reply, withResult(shown, pieces));
  const result = view?.result?.(found);
  return { ...shown, ...(result !== undefined && { result }) };
}

/** The progress with a rate. Some kinds know their own. */
export function ratedProgress(job: ShownJob, clock: Clock): ShownJob['progress'] {
  return job.progress.perSecond === undefined ? withRate(job, clock.now()) : job.progress;
}

/** Yields the job as JSON in pieces. The result is the last property. */
async function* withResult(shown: object, result: AsyncIterable<string>): AsyncGenerator<string> {
  yield `${JSON.stringify(shown).slice(0, -1)},"result":`;
  yield* result;
  yield '}';
}

/** Returns the job as JSON, without its result. */
export function jobToResponse({ id, kind, orgId, state, dryRun, progress, created, finished }: ShownJob) {
  return {
    id,
    kind,
    orgId,
    state,
    ...(dryRun !== undefined && { dryRun }),
    progress,
    created: created.toISOString(),
    ...(finished !== undefined && { finished: finished.toISOString() }),
  };
}
