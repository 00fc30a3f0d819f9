import type { Container } from '#src/container.js';
import { runBulk } from '#src/scim/bulk/run-bulk.js';
import { unstageBulk } from '#src/scim/bulk/stage-bulk.js';
import { scimBaseUrl } from '#src/scim/http/base-url.js';
import type { JobHandler } from './run-job.js';

/** Runs SCIM Bulk jobs: see run-bulk.ts for the promise. */
export function scimBulkWorker(container: Container): JobHandler {
  return async (attempt, logger) => {
    const job = await container.jobs.start(attempt);
    const body = job && (await container.jobs.body(job.id));
    if (job === undefined || body === undefined) {
      logger.info('job is closed already');
      return;
    }
    const staged = unstageBulk(body);
    const organization = await container.organizations.find(staged.orgId);
    if (organization === undefined) throw new Error(`Organization ${staged.orgId} is gone`);
    const context = {
      organization,
      editor: { userId: staged.userId, service: 'bulk' },
      permissions: new Set(staged.permissions),
      ignorePasswordOnCreate: staged.ignorePasswordOnCreate,
      baseUrl: scimBaseUrl(container.config.baseUrl, staged.orgId),
    };
    await runBulk(container, { job, attempt, context, request: staged.request });
  };
}
