import type { Container } from '#src/container.js';
import { permissionsIn } from '#src/directory/roles.js';
import type { Job } from '#src/jobs/job.js';
import { runBulk } from '#src/scim/bulk/run-bulk.js';
import { unstageBulk } from '#src/scim/bulk/stage-bulk.js';
import { scimBaseUrl } from '#src/scim/http/base-url.js';
import type { ScimContext } from '#src/scim/operations/context.js';
import type { JobHandler } from './run-job.js';

/** Runs SCIM Bulk jobs: see run-bulk.ts for the promise. */
export function scimBulkWorker(container: Container): JobHandler {
  return async (attempt, logger) => {
    const job = await container.jobs.start(attempt);
    if (job === undefined) return logger.info('job is closed already');
    const [body, organization, rights] = await Promise.all([
      container.jobs.body(job.id),
      container.organizations.find(job.orgId),
      rightsOf(container, job),
    ]);
    if (body === undefined) return logger.info('job is closed already');
    if (organization === undefined) throw new Error(`Organization ${job.orgId} is gone`);
    const context = {
      organization,
      editor: { userId: job.requestedBy, service: 'bulk' },
      ...rights,
      baseUrl: scimBaseUrl(container.config.baseUrl, job.orgId),
    };
    await runBulk(container, { job, attempt, context, request: unstageBulk(body).request });
  };
}

/** What the service user may do as the attempt starts: nothing when it is inactive or gone. */
async function rightsOf(
  { serviceUsers, memberships }: Pick<Container, 'serviceUsers' | 'memberships'>,
  { requestedBy, orgId }: Job,
): Promise<Pick<ScimContext, 'permissions' | 'ignorePasswordOnCreate'>> {
  const [serviceUser, held] = await Promise.all([
    serviceUsers.findById(requestedBy),
    memberships.ofUser(requestedBy),
  ]);
  if (!serviceUser?.active) return { permissions: new Set(), ignorePasswordOnCreate: false };
  return {
    permissions: permissionsIn(held, orgId) ?? new Set(),
    ignorePasswordOnCreate: serviceUser.ignorePasswordOnCreate,
  };
}
