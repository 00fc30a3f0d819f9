import { permissionsIn, permittedOnInstance } from '#src/directory/index.js';
import type { Principal } from '#src/http/auth/authenticate.js';
import { jobErrors } from '#src/jobs/errors.js';
import type { Job } from '#src/jobs/job.js';
import { AppError } from '#src/platform/errors.js';
import type { AdminNeeds } from '../needs/needs.js';

/** Returns which jobs a list shows to the caller. Undefined, which means all, only for an owner of the instance. */
export function visibleJobs(caller: Principal) {
  if (permittedOnInstance(caller.memberships, 'instance.manage')) return undefined;
  return {
    requestedBy: caller.userId,
    requestedIn: organizationsOf(caller),
    of: ownedOrganizations(caller),
  };
}

/**
 * Returns a job that the caller may read and cancel: its requester, as long as a role of the requester reaches the organization, or an
 * owner of the organization. With a token for SCIM alone, only a Bulk of the caller.
 * @throws AppError `jobs.jobNotFound`
 */
export async function requireVisibleJob(
  { jobs }: Pick<AdminNeeds, 'jobs'>,
  caller: Principal,
  id: string,
): Promise<Job> {
  const found = await jobs.find(id);
  const permissions = found && permissionsIn(caller.memberships, found.orgId);
  const isOwn = found?.requestedBy === caller.userId;
  const isVisible =
    permissions !== undefined &&
    (caller.scimAlone ? isOwn && found?.kind === 'scim-bulk' : isOwn || permissions.has('org.write'));
  if (found === undefined || !isVisible) throw new AppError(jobErrors.jobNotFound);
  return found;
}

/** The organizations that the roles of the caller name. */
function organizationsOf({ memberships }: Principal): string[] {
  return [...new Set(memberships.flatMap(({ orgId }) => (orgId === undefined ? [] : [orgId])))];
}

function ownedOrganizations(caller: Principal): string[] {
  return organizationsOf(caller).filter((orgId) =>
    permissionsIn(caller.memberships, orgId)?.has('org.write'),
  );
}
