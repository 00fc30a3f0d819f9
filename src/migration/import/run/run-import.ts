import { isOpen, type Job } from '#src/jobs/job.js';
import type { JobAttempt } from '#src/jobs/jobs.store.js';
import { UnreadableJob } from '#src/jobs/unreadable-job.js';
import { endIfNotPermitted } from '../end/end-if-not-permitted.js';
import { type EndImportDeps, endImport } from '../end/end-import.js';
import { modeOf } from '../modes/mode-of.js';
import { type StageObjectDeps, stageObject } from '../receive/stage-object.js';
import type { ImportDetails } from '../stores/imports.store.js';
import { detailsOf, keptIn } from '../stores/kept-imports.js';
import type { FinishVerificationDeps } from '../verify/finish-verification.js';
import { type PhasesRun, type RunPhasesDeps, runPhases } from './run-phases.js';
import { type RunSmallImportDeps, runSmallImport } from './run-small-import.js';
import { type UnpackImportDeps, unpackImport } from './unpack-import.js';

type RunImportDeps = EndImportDeps &
  StageObjectDeps &
  RunPhasesDeps &
  RunSmallImportDeps &
  UnpackImportDeps &
  FinishVerificationDeps;

/** How long an attempt keeps its worker while other imports wait for one. */
const keptMs = 2_000;

/**
 * Runs an import: reads its data from a bucket if it names one, hands its parts to the workers and ends it. Promise: an
 * attempt continues where an earlier one stopped, and two attempts at once do no harm, because each part is imported at
 * most once (run-import-part.ts). If other imports wait for a worker, the attempt leaves the import to a later attempt.
 * The workers still import the parts that it offered. If the requester loses the permission, nothing more is imported.
 * A small import is done at once (run-small-import.ts).
 * @throws UnreadableJob if this process cannot read the import. It stays open, for a process that can
 * @param attempt `stalls`: how many workers have lost the job. `ended` is called if it is known to have ended
 * @param stopping aborts when the process ends. The import then stays open.
 */
export async function runImport(
  deps: RunImportDeps,
  attempt: JobAttempt & { readonly stalls?: number; readonly ended?: () => void },
  stopping: AbortSignal,
): Promise<void> {
  const { jobId, stalls = 0 } = attempt;
  const job = await deps.jobs.start(attempt);
  if (job === undefined) await endIfLate(deps, jobId);
  else {
    const kept = keptIn(job);
    // The parts of a job that a worker was lost with are handed out one by one: the workers then find the record that it was lost with
    // (run-import-part.ts).
    if (kept !== undefined && stalls === 0 && (await runSmallImport(deps, job, kept)))
      return attempt.ended?.();
    if (kept !== undefined) await unpackImport(deps, jobId);
    const details = await deps.imports.find(jobId);
    if (details === undefined) await leaveToOthers(deps, jobId);
    else if ((await runParts(deps, { job, details, stopping })) === 'stopped') return;
  }
  await endImport(deps, jobId);
}

/** @throws UnreadableJob if the job has not ended meanwhile: no import of it is to be found */
async function leaveToOthers({ jobs }: RunImportDeps, jobId: string): Promise<void> {
  const job = await jobs.find(jobId);
  if (job !== undefined && isOpen(job)) throw new UnreadableJob(jobId);
}

/** A job that is too late to start would otherwise be offered to workers again and again. */
async function endIfLate(deps: RunImportDeps, jobId: string): Promise<void> {
  const job = await deps.jobs.find(jobId);
  const details = job && isOpen(job) ? await detailsOf(deps, job) : undefined;
  if (details !== undefined && deps.clock.now() >= details.deadline) await deps.jobs.end(jobId, 'expired');
}

/** Stages what is not staged, and runs the parts. @returns `stopped` if the import stays open for a later attempt */
async function runParts(
  deps: RunImportDeps,
  { job, details, stopping }: { job: Job; details: ImportDetails; stopping: AbortSignal },
): Promise<'ended' | 'stopped'> {
  if (await endIfNotPermitted(deps, details)) return 'ended';
  const { queuedUnder } = job;
  const { stagingId } = details;
  const staged =
    stagingId === undefined
      ? await stageObject(deps, { details, queuedUnder, stopping })
      : { stagingId, queuedUnder };
  if (stopping.aborted) return 'stopped';
  if (staged === undefined) return 'ended';
  const result = await runUntilAwaited(deps, { kind: job.kind, details, ...staged, stopping });
  if (result === 'stopped') return 'stopped';
  if (result === 'over') return 'ended';
  const finished = await modeOf(details).finish(deps, { details, ...staged, stopping });
  if (finished !== 'done') return finished === 'stopped' ? 'stopped' : 'ended';
  await deps.jobs.end(job.id, 'completed');
  return 'ended';
}

/** {@link runPhases}, stopped when other imports have waited for a worker for a while. */
async function runUntilAwaited(
  deps: RunImportDeps,
  run: PhasesRun & Pick<Job, 'kind'>,
): ReturnType<typeof runPhases> {
  const { kind } = run;
  const awaited = new AbortController();
  const stopIfAwaited = async () => {
    if ((await deps.jobQueue.oldestWaiting(kind)) !== undefined) awaited.abort();
  };
  // While Redis is unavailable no other import can start either.
  const timer = setInterval(() => void stopIfAwaited().catch(() => undefined), keptMs);
  try {
    return await runPhases(deps, { ...run, stopping: AbortSignal.any([run.stopping, awaited.signal]) });
  } finally {
    clearInterval(timer);
  }
}
