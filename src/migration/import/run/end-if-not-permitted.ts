import { isStillPermitted, type RequesterDeps } from '#src/directory/memberships/requester.js';
import type { JobsStore } from '#src/jobs/jobs.store.js';
import { tokenErrors } from '#src/tokens/errors.js';
import type { ImportDetails, ImportsStore } from '../stores/imports.store.js';

export type ImportRightDeps = RequesterDeps & { readonly jobs: JobsStore; readonly imports: ImportsStore };

/**
 * Whether who asked for the import may import still. Where not, the import has failed: what is in stays in, and the
 * report says why the rest is not.
 */
export async function keepsRight(
  deps: ImportRightDeps,
  { jobId, requestedBy, credential }: Pick<ImportDetails, 'jobId' | 'requestedBy' | 'credential'>,
): Promise<boolean> {
  const requester = { userId: requestedBy, credential };
  if (await isStillPermitted(deps, requester, 'instance.manage')) return true;
  const { id, message } = tokenErrors.permissionMissing;
  await deps.imports.setFailure(jobId, `${id}: ${message}`);
  await deps.jobs.end(jobId, 'failed');
  return false;
}
