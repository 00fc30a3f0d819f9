import type { Container } from '#src/container.js';
import type { Requester } from '#src/directory/memberships/requester.js';
import { jobCatalogue } from '#src/jobs/catalogue.js';
import { type SubmitJobDeps, submitJob } from '#src/jobs/submit-job.js';
import { readBlobTarget } from '#src/platform/blobs/blob-store.js';
import { AppError } from '#src/platform/errors.js';
import { newId } from '#src/platform/ids.js';
import { parseDuration } from '../duration.js';
import { exportErrors } from './export-errors.js';
import { writeExportRequest } from './export-request.js';

/** The request of a client. */
export interface GivenExport {
  readonly orgIds?: readonly string[];
  readonly excludedOrgIds?: readonly string[];
  readonly withPasswords?: boolean;
  readonly withOtp?: boolean;
  /** A duration such as `5m`, in the notation of Go. */
  readonly timeout?: string;
  readonly responseOutput?: boolean;
  readonly gcsOutput?: Parameters<typeof readBlobTarget>[0];
}

export type StartExportDeps = SubmitJobDeps & Pick<Container, 'clock' | 'organizations'>;

const usualTimeout = '5m';
const longestSeconds = jobCatalogue.export.retentionSeconds;

/**
 * Submits an export to the workers. It queues under the organization that it concerns. If it concerns several, it queues
 * under the requester's.
 * @throws AppError `export.outputMissing`, `export.timeoutInvalid`, `export.organizationUnknown`, and the errors of
 * {@link readBlobTarget} and {@link submitJob}
 */
export async function startExport(
  deps: StartExportDeps,
  given: GivenExport,
  { userId, orgId, credential }: Requester & { readonly orgId: string },
): Promise<{ jobId: string; deadline: Date }> {
  const { clock, organizations } = deps;
  const { orgIds = [], excludedOrgIds = [], responseOutput = false, gcsOutput } = given;
  if (!responseOutput && gcsOutput === undefined) throw new AppError(exportErrors.outputMissing);
  const timeoutMs = parseDuration(given.timeout ?? usualTimeout);
  if (timeoutMs === undefined) throw new AppError(exportErrors.timeoutInvalid);
  if (timeoutMs > longestSeconds * 1000) {
    throw new AppError(exportErrors.timeoutInvalid, {
      detail: `timeout is at most ${longestSeconds} seconds, after which the job is removed`,
    });
  }
  const gcs = gcsOutput && readBlobTarget(gcsOutput);
  for (const id of new Set([...orgIds, ...excludedOrgIds])) {
    if ((await organizations.find(id)) !== undefined) continue;
    throw new AppError(exportErrors.organizationUnknown, { detail: `There is no organization ${id}` });
  }

  const jobId = newId();
  const created = clock.now();
  const deadline = new Date(created.getTime() + timeoutMs);
  const { withPasswords = false, withOtp = false } = given;
  const [only = orgId, ...others] = new Set(orgIds);
  const queuedUnder = others.length === 0 ? only : orgId;
  const body = writeExportRequest({
    orgIds,
    excludedOrgIds,
    withPasswords,
    withOtp,
    responseOutput,
    ...(gcs && { gcs }),
    userId,
    ...(credential && { credential }),
    deadline,
  });
  const about = { id: jobId, kind: 'export', orgId: '*', queuedUnder, requestedBy: userId } as const;
  await submitJob(deps, () => ({ job: { ...about, total: 0, created, deadline, body } }));
  return { jobId, deadline };
}
