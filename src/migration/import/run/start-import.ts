import type { Credential } from '#src/directory/memberships/requester.js';
import type { JobQueue } from '#src/jobs/job-queue.js';
import type { JobsStore } from '#src/jobs/jobs.store.js';
import type { Clock } from '#src/platform/clock.js';
import { AppError } from '#src/platform/errors.js';
import { newId } from '#src/platform/ids.js';
import type { Logger } from '#src/platform/logger.js';
import type { Mongo } from '#src/platform/mongo/mongo.js';
import { isStoreUnavailable } from '#src/platform/unavailable.js';
import { writeBucketObject } from '../scan/bucket-object.js';
import { type ImportEnvelope, readEnvelope } from '../scan/read-envelope.js';
import { removeStaging, type StageImportDeps, stageImport } from '../scan/stage-import.js';
import { importErrors } from '../sections/import-codes.js';
import type { ImportsStore } from '../stores/imports.store.js';

export interface StartImportDeps extends StageImportDeps {
  readonly mongo: Mongo;
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
 * When the body is not an import, or breaks off, nothing of it is left. That what was staged is an import's is one
 * transaction: a process that dies before it leaves nothing that is not removed in time (see {@link stageImport}).
 * The import queues under the organization that it concerns. If it concerns several, it queues under the requester's.
 * @param request `orgId`: organization of who asks
 * @throws AppError of {@link readEnvelope} and {@link stageImport}
 */
export async function startImport(
  deps: StartImportDeps,
  {
    source,
    requestedBy,
    orgId,
    credential,
  }: {
    source: AsyncIterable<Uint8Array>;
    requestedBy: string;
    orgId: string;
    credential?: Credential;
  },
): Promise<{ jobId: string; deadline: Date }> {
  const { mongo, jobs, jobQueue, imports, uploads, clock, logger } = deps;
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
  // Such a body only says where the data is, and who may read it.
  if (object !== undefined) await removeStaging(deps, jobId);
  const asked = { requestedBy, ...(credential && { credential }) };
  const about = { jobId, form, dryRun, ...asked, created, deadline };
  const body = object === undefined ? Buffer.alloc(0) : writeBucketObject(object);
  const record = { ...about, ...own, expires: new Date(deadline.getTime() + retentionMs) };
  // Whom an object of a bucket is for is known when it has been read.
  const queuedUnder = staged.onlyOrganization ?? orgId;
  const job = {
    id: jobId,
    kind: 'import',
    orgId: '*',
    queuedUnder,
    requestedBy,
    total: 0,
    created,
    deadline,
    body,
  } as const;
  // Should it fail, what is staged stays for now: the answer to a commit that counted may have been lost.
  await mongo.transaction(async (transaction) => {
    if (object === undefined && !(await uploads.end(jobId, transaction))) {
      throw new AppError(importErrors.abandoned);
    }
    await imports.insert(record, transaction);
    await jobs.insert(job, transaction);
  });
  try {
    await jobQueue.enqueue({ kind: 'import', id: jobId, queuedUnder });
  } catch (error) {
    // The job is there, and workers look for jobs that the queue does not have: nobody has to send it all again.
    if (!isStoreUnavailable(error)) throw error;
    logger.warn({ err: error, jobId }, 'an import could not be queued at once');
  }
  return { jobId, deadline };
}
