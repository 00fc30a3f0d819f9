import type { Requester } from '#src/access/authority/index.js';
import { jobCatalogue } from '#src/jobs/catalogue.js';
import { type SubmitJobDeps, submitJob } from '#src/jobs/submit-job.js';
import { type GivenAzureTarget, readAzureTarget } from '#src/platform/blobs/azure/azure-target.js';
import { type GivenGcsTarget, readGcsTarget } from '#src/platform/blobs/gcs/gcs-target.js';
import { type GivenS3Target, readS3Target } from '#src/platform/blobs/s3/s3-target.js';
import { AppError } from '#src/platform/errors.js';
import { newId } from '#src/platform/ids.js';
import { parseDuration } from '../duration.js';
import { exportErrors } from './export-errors.js';
import type { ExportNeeds } from './export-needs.js';
import { type ExportRequest, exportTargetOf, writeExportRequest } from './export-request.js';

/** The request of a client. */
interface GivenExport {
  readonly contents?: 'passkeys';
  readonly orgIds?: readonly string[];
  readonly excludedOrgIds?: readonly string[];
  readonly withPasswords?: boolean;
  readonly withOtp?: boolean;
  /** A duration such as `5m`, in the notation of Go. */
  readonly timeout?: string;
  readonly responseOutput?: boolean;
  readonly gcsOutput?: GivenGcsTarget;
  readonly s3Output?: GivenS3Target;
  readonly azureOutput?: GivenAzureTarget;
}

type StartExportDeps = SubmitJobDeps & Pick<ExportNeeds, 'blobs' | 'clock' | 'organizations'>;

const usualTimeout = '5m';
const longestSeconds = jobCatalogue.export.retentionSeconds;

/**
 * Submits an export to the workers. It queues under the organization that it concerns. If it concerns several, it queues
 * under the requester's.
 * @param requester `within`: the organization whose owner asks, and which alone is exported. Absent: an owner of the instance asks
 * @throws AppError `export.outputMissing`, `export.outputTwice`, `export.timeoutInvalid`, `export.organizationUnknown`, and
 * the errors of {@link readBlobTarget}, {@link BlobStore.check} and {@link submitJob}
 */
export async function startExport(
  deps: StartExportDeps,
  given: GivenExport,
  { userId, orgId, within, credential }: Requester & { readonly orgId: string; readonly within?: string },
): Promise<{ jobId: string; deadline: Date }> {
  const { blobs, clock, organizations } = deps;
  const { excludedOrgIds = [], responseOutput = false } = given;
  const orgIds = within === undefined ? (given.orgIds ?? []) : [within];
  const output = outputOf(given);
  const named = exportTargetOf(output);
  if (!responseOutput && named === undefined) throw new AppError(exportErrors.outputMissing);
  const timeoutMs = parseDuration(given.timeout ?? usualTimeout);
  if (timeoutMs === undefined) throw new AppError(exportErrors.timeoutInvalid);
  if (timeoutMs > longestSeconds * 1000) {
    throw new AppError(exportErrors.timeoutInvalid, {
      detail: `timeout is at most ${longestSeconds} seconds, after which the job is removed`,
    });
  }
  if (named && within !== undefined) blobs.requirePublic(named.target);
  if (named) blobs.check(named.target);
  for (const id of new Set([...(given.orgIds ?? []), ...excludedOrgIds])) {
    // No look-up for the owner of an organization: whether another one exists must not be told.
    if (within === undefined ? (await organizations.find(id)) !== undefined : id === within) continue;
    throw new AppError(exportErrors.organizationUnknown, { detail: `There is no organization ${id}` });
  }

  const jobId = newId();
  const created = clock.now();
  const deadline = new Date(created.getTime() + timeoutMs);
  const { contents, withPasswords = false, withOtp = false } = given;
  const [only = orgId, ...others] = new Set(orgIds);
  const queuedUnder = others.length === 0 ? only : orgId;
  const body = writeExportRequest({
    ...(within !== undefined && { orgId: within }),
    orgIds,
    excludedOrgIds,
    ...(contents && { contents }),
    withPasswords,
    withOtp,
    responseOutput,
    ...output,
    userId,
    ...(credential && { credential }),
    deadline,
  });
  const about = {
    id: jobId,
    kind: 'export',
    orgId: within ?? '*',
    queuedUnder,
    requestedBy: userId,
  } as const;
  await submitJob(deps, () => ({ job: { ...about, total: 0, created, deadline, body } }));
  return { jobId, deadline };
}

/** The bucket that a request names. @throws AppError `export.outputTwice`, and those of {@link readBlobTarget} */
function outputOf({
  gcsOutput,
  s3Output,
  azureOutput,
}: GivenExport): Pick<ExportRequest, 'gcs' | 's3' | 'azure'> {
  const count = [gcsOutput, s3Output, azureOutput].filter((output) => output !== undefined).length;
  if (count > 1) throw new AppError(exportErrors.outputTwice);
  if (gcsOutput) return { gcs: readGcsTarget(gcsOutput) };
  if (s3Output) return { s3: readS3Target(s3Output) };
  return azureOutput ? { azure: readAzureTarget(azureOutput) } : {};
}
