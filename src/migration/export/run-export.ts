import { Readable } from 'node:stream';
import { isStillPermitted, type RequesterDeps } from '#src/access/authority/index.js';
import { newEvent } from '#src/audit/new-event.js';
import { jobCatalogue } from '#src/jobs/catalogue.js';
import type { Job } from '#src/jobs/job.js';
import type { JobAttempt } from '#src/jobs/jobs.store.js';
import type { StagingWriter } from '#src/jobs/staging.store.js';
import { AppError } from '#src/platform/errors.js';
import { tokenErrors } from '#src/tokens/errors.js';
import { migrationPermission } from '../migration-permission.js';
import type { ExportNeeds } from './export-needs.js';
import { type ExportRequest, exportTargetOf } from './export-request.js';
import { type ExportResult, exportDestinationOf, exportResultOf } from './export-result.js';
import { nothingLeftOut, toldLeftOut } from './left-out.js';
import { AttemptLost, type AttemptWatch, watchAttempt } from './watch-attempt.js';
import { noCounts, type WriteExportDeps, writeExport } from './write-export.js';

type RunExportDeps = WriteExportDeps &
  RequesterDeps &
  Pick<ExportNeeds, 'blobs' | 'clock' | 'events' | 'jobs' | 'mongo' | 'staging' | 'users'>;

export const exportContentType = 'application/json';

/**
 * Runs one attempt of an export. Promise: a job exports once and records one event `export.completed`. Each attempt writes a
 * text or an object of its own, and the record of the job names the one that counts. An object appears only when it is
 * complete. If the job ends while the attempt runs, or `stopping` aborts, the attempt removes what it staged.
 */
export async function runExport(
  deps: RunExportDeps,
  {
    attempt,
    job,
    request,
    stopping,
  }: { attempt: JobAttempt; job: Job; request: ExportRequest; stopping: AbortSignal | undefined },
): Promise<void> {
  const counts = noCounts(request);
  const leftOut = nothingLeftOut();
  const written = () => counts.humanUsers ?? counts.webauthnCredentials ?? 0;
  const total = request.contents === undefined ? await countUsers(deps, request) : 0;
  const progress = () => ({
    processed: written(),
    total: Math.max(total, written()),
    errors: 0,
  });
  const permitted = () => isStillPermitted(deps, request, permissionFor(request));
  const watch = watchAttempt(deps, attempt, { progress, permitted, stopping });
  const end = (state: 'completed' | 'failed', result: ExportResult) =>
    endExport(deps, { attempt, request, state, result, progress: progress() });
  const stagingId = `${job.id}.${attempt.attemptId}`;
  try {
    if (!(await permitted())) throw new AppError(tokenErrors.permissionMissing);
    const length = await write(deps, { job, request, told: { counts, leftOut }, watch, stagingId });
    const { withPasswords, withOtp } = request;
    const notExported = toldLeftOut(leftOut);
    await end('completed', {
      counts,
      ...(notExported && { notExported }),
      withPasswords,
      withOtp,
      ...(length !== undefined && { staged: { id: stagingId, length } }),
      ...exportTargetOf(request)?.place,
    });
    // Texts of earlier attempts whose processes died.
    await deps.staging.removeOthers(job.id, stagingId).catch(() => undefined);
  } catch (thrown) {
    await removeStaged(deps, job.id, stagingId);
    const error = watch.signal.aborted ? watch.signal.reason : thrown;
    if (error instanceof AttemptLost) return;
    // Another attempt would not help: the client made a mistake, or the bucket failed several times already.
    if (!(error instanceof AppError)) throw error;
    await end('failed', { error: { id: error.definition.id, message: error.message } }).catch(ignoreLost);
  } finally {
    watch.stop();
  }
}

/** Secrets need an owner of the instance, also if only one organization is exported. */
function permissionFor({ orgId, withPasswords, withOtp }: ExportRequest) {
  return migrationPermission(withPasswords || withOtp ? undefined : orgId);
}

/** Writes the export. @returns the length of the staged text in bytes; undefined if none is staged */
async function write(
  deps: RunExportDeps,
  given: {
    job: Job;
    request: ExportRequest;
    told: Parameters<typeof writeExport>[2];
    watch: AttemptWatch;
    stagingId: string;
  },
): Promise<number | undefined> {
  const { job, request, told, watch, stagingId } = given;
  const { staging, blobs, clock } = deps;
  const toBucket = async (chunks: AsyncIterable<Buffer>) => {
    const named = exportTargetOf(request);
    if (named === undefined) return;
    const leftMs = Math.max(0, request.deadline.getTime() - clock.now().getTime());
    await blobs.write(named.target, Readable.from(watch.guard(chunks)), {
      contentType: exportContentType,
      signal: AbortSignal.any([watch.signal, AbortSignal.timeout(leftMs)]),
    });
  };
  const text = writeExport(deps, request, told);
  if (!request.responseOutput) {
    await toBucket(text);
    return undefined;
  }
  const { retentionSeconds } = jobCatalogue.export;
  const writer = staging.writer(stagingId, new Date(job.created.getTime() + retentionSeconds * 1000));
  const length = await stageText(writer, watch.guard(text));
  await toBucket(staging.stream(stagingId, { start: 0, end: length }));
  return length;
}

async function stageText(writer: StagingWriter, text: AsyncIterable<Buffer>): Promise<number> {
  try {
    for await (const chunk of text) await writer.write(chunk);
    return await writer.finish();
  } finally {
    await writer.settle();
  }
}

/**
 * Removes the text of a failed attempt, unless the record of the job names it: MongoDB may have committed the end and its
 * answer was lost. If MongoDB is away, the text expires later.
 */
async function removeStaged(
  { jobs, staging }: Pick<RunExportDeps, 'jobs' | 'staging'>,
  jobId: string,
  stagingId: string,
): Promise<void> {
  try {
    const job = await jobs.find(jobId);
    const result = job && exportResultOf(job);
    const counts = result !== undefined && 'counts' in result && result.staged?.id === stagingId;
    if (!counts) await staging.remove(stagingId);
  } catch {
    // Another attempt follows.
  }
}

/** An estimate of the number of people to export. */
async function countUsers(
  { users, accounts }: Pick<RunExportDeps, 'users' | 'accounts'>,
  { orgIds, excludedOrgIds }: ExportRequest,
): Promise<number> {
  const sum = async (ids: Iterable<string>) => {
    let count = 0;
    for (const id of ids) count += await users.count(id);
    return count;
  };
  const excluded = new Set(excludedOrgIds);
  if (orgIds.length > 0) return sum(new Set(orgIds.filter((id) => !excluded.has(id))));
  return Math.max(0, (await accounts.estimate()) - (await sum(excluded)));
}

/** Ends the job and records the event of the export, in one transaction. @throws AttemptLost */
async function endExport(
  { mongo, jobs, events, clock }: Pick<RunExportDeps, 'mongo' | 'jobs' | 'events' | 'clock'>,
  ended: {
    attempt: JobAttempt;
    request: ExportRequest;
    state: 'completed' | 'failed';
    result: ExportResult;
    progress: Job['progress'];
  },
): Promise<void> {
  const { attempt, request, state, result, progress } = ended;
  await mongo.transaction(async (transaction) => {
    if (!(await jobs.endWithResult(attempt, { state, result, progress }, transaction))) {
      throw new AttemptLost();
    }
    if ('error' in result) return;
    const { counts, withPasswords, withOtp } = result;
    const event = newEvent('export.completed', {
      aggregate: 'job',
      id: attempt.jobId,
      ...(request.orgId !== undefined && { orgId: request.orgId }),
      editor: { userId: request.userId, service: 'export' },
      sequence: 1,
      date: clock.now(),
      payload: { counts, withPasswords, withOtp, ...exportDestinationOf(result) },
    });
    await events.append([event], transaction);
  });
}

function ignoreLost(error: unknown): void {
  if (!(error instanceof AttemptLost)) throw error;
}
