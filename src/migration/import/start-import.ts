import type { JobQueue } from '#src/jobs/job-queue.js';
import type { JobsStore } from '#src/jobs/jobs.store.js';
import type { Clock } from '#src/platform/clock.js';
import { newId } from '#src/platform/ids.js';
import type { Logger } from '#src/platform/logger.js';
import { isStoreUnavailable } from '#src/platform/unavailable.js';
import { writeSource } from './import-source.js';
import type { ImportsStore } from './imports.store.js';
import { type ImportEnvelope, readEnvelope } from './read-envelope.js';
import { removeStaging, type StageImportDeps, stageImport } from './stage-import.js';

export interface StartImportDeps extends StageImportDeps {
  readonly jobs: JobsStore;
  readonly jobQueue: JobQueue;
  readonly imports: ImportsStore;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** How long the report of an import can be read. */
const retentionMs = 7 * 24 * 3600 * 1000;

/**
 * Takes an import from its first byte to its last, and hands it to the workers. The timeout counts from the first byte.
 * When the body is not an import, or breaks off, nothing of it is left.
 * @throws AppError of {@link readEnvelope} and {@link stageImport}
 */
export async function startImport(
  deps: StartImportDeps,
  { source, requestedBy }: { source: AsyncIterable<Uint8Array>; requestedBy: string },
): Promise<{ jobId: string; deadline: Date }> {
  const { jobs, jobQueue, imports, clock, logger } = deps;
  const jobId = newId();
  const created = clock.now();
  const expires = new Date(created.getTime() + retentionMs);
  const staged = await stageImport(deps, { stagingId: jobId, jobId, source, root: 'body', expires });
  let envelope: ImportEnvelope;
  try {
    envelope = readEnvelope(staged);
  } catch (error) {
    await removeStaging(deps, jobId);
    throw error;
  }
  const { timeoutMs, form, dryRun, source: object } = envelope;
  const deadline = new Date(created.getTime() + timeoutMs);
  const own = object === undefined ? { stagingId: jobId } : {};
  const about = { jobId, form, dryRun, requestedBy, created, deadline };
  const body = object === undefined ? Buffer.alloc(0) : writeSource(object);
  // The job last: nobody works on it before the rest is there.
  await imports.insert({ ...about, ...own, expires: new Date(deadline.getTime() + retentionMs) });
  await jobs.insert({
    id: jobId,
    kind: 'import',
    orgId: '*',
    requestedBy,
    total: 0,
    created,
    deadline,
    body,
  });
  try {
    await jobQueue.enqueue('import', { jobId, orgId: requestedBy });
  } catch (error) {
    // The job is there, and workers look for jobs that the queue does not have: nobody has to send it all again.
    if (!isStoreUnavailable(error)) throw error;
    logger.warn({ err: error, jobId }, 'an import could not be queued at once');
  }
  return { jobId, deadline };
}
