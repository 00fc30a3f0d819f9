import { setMaxListeners } from 'node:events';
import type { JobQueue } from '#src/jobs/job-queue.js';
import type { JobAttempt } from '#src/jobs/jobs.store.js';
import type { BlobStore } from '#src/platform/blobs/blob-store.js';
import { AppError } from '#src/platform/errors.js';
import { newId } from '#src/platform/ids.js';
import { isStoreUnavailable } from '#src/platform/unavailable.js';
import { readBucketObject } from '../scan/bucket-object.js';
import { removeStaging, type StageImportDeps, stageImport } from '../scan/stage-import.js';
import { importErrors } from '../sections/import-codes.js';
import type { ImportDetails } from '../stores/imports.store.js';
import { type ImportRightDeps, keepsRight } from './end-if-not-permitted.js';
import { type EndImportDeps, endImport } from './end-import.js';

export type RunImportDeps = EndImportDeps &
  StageImportDeps &
  ImportRightDeps & {
    readonly jobQueue: JobQueue;
    readonly blobs: BlobStore;
  };

/** Parts of one import that wait or run at once, however large it is. They queue under the same organization as the import. */
const window = 24;
/** How long an attempt keeps its place while other imports wait for one. */
const placeMs = 2_000;
/** Longest time between two looks at the parts, for reports of the queue that got lost. */
const pollMs = 500;
/** Parts are offered again after this time: the queue may have lost them. Offering what it has changes nothing. */
const offerAgainMs = 5_000;

/**
 * Runs an import: reads the object of a bucket where there is one, then hands the parts of phase after phase to the
 * workers and waits for them. Promise: an attempt goes on where an earlier one stopped; parts look after themselves
 * (run-import-part.ts), so that two attempts at once do no harm. An attempt leaves the import open for a later one when
 * other imports wait for its place; the parts that it offered are done meanwhile. Who asked for it may lose the right:
 * nothing more is imported then. end-import.ts records the end.
 * @param stopping ends the attempt and leaves the import open, for a process that ends
 */
export async function runImport(
  deps: RunImportDeps,
  attempt: JobAttempt,
  stopping: AbortSignal,
): Promise<void> {
  const { jobs, imports, clock } = deps;
  const job = await jobs.start(attempt);
  const record = await imports.find(attempt.jobId);
  if (record === undefined) return;
  // Otherwise it would be offered again and again until somebody else closed it.
  const isLate = job === undefined && clock.now() >= record.deadline;
  if (isLate) await jobs.end(attempt.jobId, 'expired');
  if (job !== undefined && (await keepsRight(deps, record))) {
    const { stagingId, queuedUnder } =
      record.stagingId === undefined
        ? await stageObject(deps, { record, queuedUnder: job.queuedUnder, stopping })
        : { stagingId: record.stagingId, queuedUnder: job.queuedUnder };
    if (stopping.aborted) return;
    if (stagingId !== undefined) {
      const end = await runUntilAwaited(deps, { record, stagingId, queuedUnder, stopping });
      if (end === 'stopped') return;
      await jobs.end(job.id, end === 'done' ? 'completed' : 'expired');
    }
  }
  await endImport(deps, attempt.jobId);
}

interface Run {
  readonly record: ImportDetails;
  readonly stagingId: string;
  /** The organization under which its parts queue. */
  readonly queuedUnder: string;
  readonly stopping: AbortSignal;
}

/**
 * Stages the object that the import names, and finds the organization under which its parts queue. `stagingId` is
 * undefined when the import is over, also because there is nothing in the object that can be imported, or the process
 * ends. @throws when trying again makes sense
 */
async function stageObject(
  deps: RunImportDeps,
  { record, queuedUnder, stopping }: Omit<Run, 'stagingId'>,
): Promise<{ stagingId: string | undefined; queuedUnder: string }> {
  const { mongo, jobs, imports, uploads, blobs, clock } = deps;
  const { jobId, form, expires } = record;
  const over = { stagingId: undefined, queuedUnder };
  const body = await jobs.body(jobId);
  if (body === undefined) return over;
  const stagingId = newId();
  let as = queuedUnder;
  try {
    const source = whileOpen(deps, { record, stopping }, blobs.open(readBucketObject(body)));
    const staged = await stageImport(deps, { stagingId, jobId, source, root: 'object', form, expires });
    if (staged.found.length !== 1) throw new AppError(importErrors.dataMissing);
    as = staged.onlyOrganization ?? queuedUnder;
  } catch (error) {
    await removeStaging(deps, stagingId).catch(() => undefined);
    if (error instanceof ImportOver) {
      if (clock.now() >= record.deadline) await jobs.end(jobId, 'expired');
      return over;
    }
    if (!(error instanceof AppError)) throw error;
    await imports.setFailure(jobId, `${error.definition.id}: ${error.message}`);
    if (error.definition.kind === 'unavailable') throw error;
    await jobs.end(jobId, 'failed');
    return over;
  }
  const stands = await mongo.transaction(async (transaction) => {
    if (!(await imports.setStaging(jobId, stagingId, transaction))) return false;
    if (!(await uploads.end(stagingId, transaction))) throw new AppError(importErrors.abandoned);
    await jobs.setQueuedUnder(jobId, as, transaction);
    return true;
  });
  if (stands) return { stagingId, queuedUnder: as };
  await removeStaging(deps, stagingId);
  return { stagingId: (await imports.find(jobId))?.stagingId, queuedUnder: as };
}

/** Raised in the middle of an object when there is nobody to go on for. */
class ImportOver extends Error {}

/** The chunks of an object as long as the import goes on. */
async function* whileOpen(
  deps: RunImportDeps,
  { record, stopping }: Pick<Run, 'record' | 'stopping'>,
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  let looked = performance.now();
  for await (const chunk of chunks) {
    const isDue = performance.now() - looked > pollMs;
    if (stopping.aborted || (isDue && (await isOver(deps, record)))) throw new ImportOver();
    if (isDue) looked = performance.now();
    yield chunk;
  }
}

/** {@link runPhases} until other imports have waited for the place for a while. */
async function runUntilAwaited(deps: RunImportDeps, run: Run): ReturnType<typeof runPhases> {
  const leave = new AbortController();
  const look = async () => {
    if ((await deps.jobQueue.oldestWaiting('import')) !== undefined) leave.abort();
  };
  // Redis may be away: then nobody waits that could be given the place.
  const timer = setInterval(() => void look().catch(() => undefined), placeMs);
  try {
    return await runPhases(deps, { ...run, stopping: AbortSignal.any([run.stopping, leave.signal]) });
  } finally {
    clearInterval(timer);
  }
}

/** `over`: the deadline has passed or somebody closed the job. `stopped`: the process ends, or others want the place. */
async function runPhases(deps: RunImportDeps, run: Run): Promise<'done' | 'over' | 'stopped'> {
  for (const phase of deps.importSections.phases) {
    while ((await rideOut(() => runPhase(deps, run, phase))) !== true) {
      if (run.stopping.aborted) return 'stopped';
      if (await isOver(deps, run.record)) return 'over';
    }
  }
  return 'done';
}

/** The result of the work; undefined, after a while, when a store is away for now. */
async function rideOut<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (!isStoreUnavailable(error)) throw error;
    await new Promise((resolve) => setTimeout(resolve, pollMs));
    return undefined;
  }
}

/**
 * Whether the deadline has passed, somebody closed the job, or who asked for it lost the right. A store that is away
 * says nothing.
 */
async function isOver(deps: RunImportDeps, record: ImportDetails): Promise<boolean> {
  const { jobs, clock } = deps;
  if (clock.now() >= record.deadline) return true;
  const goesOn = await rideOut(
    async () => (await jobs.find(record.jobId))?.state === 'running' && (await keepsRight(deps, record)),
  );
  return goesOn === false;
}

/** Keeps a window of parts in the queue until none of the phase is left; false when that cannot go on. */
async function runPhase(
  deps: RunImportDeps,
  { record, stagingId, queuedUnder, stopping }: Run,
  phase: number,
): Promise<boolean> {
  const { importParts, jobQueue, clock } = deps;
  // A dry run is about what earlier parts would have written, so that they come one after the other.
  const most = record.dryRun ? 1 : window;
  const offered = new Map<string, number>();
  let last: string | undefined;
  let isMore = true;
  for (;;) {
    if (stopping.aborted || (await isOver(deps, record))) return false;
    if (isMore && offered.size < most) {
      const limit = most - offered.size;
      const next = await importParts.waiting(stagingId, { phase, after: last, limit });
      for (const partId of next) offered.set(partId, 0);
      last = next.at(-1) ?? last;
      isMore = next.length === limit;
    }
    if (offered.size === 0) {
      // Parts that were split come in the places of those that were passed already.
      const [left] = await importParts.waiting(stagingId, { phase, limit: 1 });
      if (left === undefined) return true;
      last = undefined;
      isMore = true;
      continue;
    }
    for (const [partId, at] of offered) {
      if (performance.now() - at < offerAgainMs && at > 0) continue;
      await jobQueue.enqueue({ kind: 'import-part', id: partId, queuedUnder });
      offered.set(partId, performance.now());
    }
    await anyEnded(
      jobQueue,
      [...offered.keys()],
      Math.min(pollMs, record.deadline.getTime() - clock.now().getTime()),
    );
    const waiting = await importParts.stillWaiting([...offered.keys()]);
    for (const partId of offered.keys()) if (!waiting.has(partId)) offered.delete(partId);
  }
}

async function anyEnded(jobQueue: JobQueue, ids: readonly string[], timeoutMs: number): Promise<void> {
  const stop = new AbortController();
  setMaxListeners(ids.length, stop.signal);
  await Promise.race(ids.map((id) => jobQueue.waitForEnd(id, Math.max(timeoutMs, 0), stop.signal)));
  stop.abort();
}
