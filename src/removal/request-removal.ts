import type { Editor } from '#src/audit/event.js';
import { directoryErrors, type Membership, type Organization } from '#src/directory/index.js';
import { isOpen } from '#src/jobs/job.js';
import { type SubmitJobDeps, submitJob } from '#src/jobs/submit-job.js';
import { AppError } from '#src/platform/errors.js';
import { newId } from '#src/platform/ids.js';
import type { Transaction } from '#src/platform/mongo/mongo.js';
import type { Cache } from '#src/platform/redis/cache.js';
import { type BeginRemovalDeps, beginRemoval } from './begin-removal.js';
import { serializeRemoval } from './removal-request.js';

interface RequestRemovalDeps extends SubmitJobDeps, BeginRemovalDeps {
  readonly caches: {
    readonly organizations: Cache<Organization | undefined>;
    readonly memberships: Cache<Membership[]>;
  };
}

/**
 * Removes an organization: it ends for everybody at once, and a job removes its data. A removal that is under way goes on. One whose job
 * failed gets another job.
 * @param request `confirmedName`: the name of the organization, which the caller must know
 * @returns the identifier of the job
 * @throws AppError `directory.organizationNotFound`, `directory.organizationNameDiffers`, `directory.changing`, and the errors of
 * {@link beginRemoval} and {@link submitJob}
 */
export async function requestRemoval(
  deps: RequestRemovalDeps,
  { orgId, confirmedName, editor }: { orgId: string; confirmedName: string | undefined; editor: Editor },
): Promise<string> {
  const { organizations, jobs, caches } = deps;
  const [organization, removal] = await Promise.all([
    organizations.find(orgId),
    organizations.findRemoval(orgId),
  ]);
  const name = organization?.name ?? removal?.name;
  if (name === undefined) throw new AppError(directoryErrors.organizationNotFound);
  if (confirmedName !== name) throw new AppError(directoryErrors.organizationNameDiffers);
  const last = removal && (await jobs.find(removal.jobId));
  if (last !== undefined && isOpen(last)) return last.id;
  const jobId = newId();
  let formerOwners: string[] = [];
  await submitJob(deps, () => ({
    job: {
      id: jobId,
      kind: 'organization-removal',
      // The job outlives the organization.
      orgId: '*',
      requestedBy: editor.userId,
      total: 0,
      created: deps.clock.now(),
      body: serializeRemoval({ orgId, name, editor }),
    },
    async alongside(transaction) {
      if (organization === undefined)
        await resume(deps, { orgId, from: removal?.jobId, to: jobId }, transaction);
      else formerOwners = await beginRemoval(deps, { organization, jobId, editor }, transaction);
    },
  }));
  await caches.organizations.invalidate(orgId);
  await Promise.all(formerOwners.map((userId) => caches.memberships.invalidate(userId)));
  return jobId;
}

/** Hands a removal over to another job. @throws AppError `directory.changing` if another request did so first */
async function resume(
  { organizations }: Pick<RequestRemovalDeps, 'organizations'>,
  { orgId, from = '', to }: { orgId: string; from: string | undefined; to: string },
  transaction: Transaction,
): Promise<void> {
  if (!(await organizations.resumeRemoval(orgId, { from, to }, transaction)))
    throw new AppError(directoryErrors.changing, { retryAfterSeconds: 1 });
}
