import { isStillPermitted, type RequesterDeps } from '#src/access/authority/index.js';
import type { JobsStore } from '#src/jobs/jobs.store.js';
import { tokenErrors } from '#src/tokens/errors.js';
import { migrationPermission } from '../../migration-permission.js';
import type { ImportDetails, ImportsStore } from '../stores/imports.store.js';

export type EndIfNotPermittedDeps = RequesterDeps & {
  readonly jobs: JobsStore;
  readonly imports: ImportsStore;
};

/**
 * Ends the job of an import as failed if its requester lost the permission to import. What is imported stays. The report says why
 * the rest is missing.
 * @returns whether it ended the job
 */
export async function endIfNotPermitted(
  deps: EndIfNotPermittedDeps,
  {
    jobId,
    orgId,
    requestedBy,
    credential,
  }: Pick<ImportDetails, 'jobId' | 'orgId' | 'requestedBy' | 'credential'>,
): Promise<boolean> {
  const requester = { userId: requestedBy, credential };
  if (await isStillPermitted(deps, requester, migrationPermission(orgId))) return false;
  const { id, message } = tokenErrors.permissionMissing;
  await deps.imports.setFailure(jobId, `${id}: ${message}`);
  await deps.jobs.end(jobId, 'failed');
  return true;
}
