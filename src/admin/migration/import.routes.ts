import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import Type from 'typebox';
import { isPermitted } from '#src/directory/index.js';
import { answerAccepted, prefersAsync } from '#src/http/prefer.js';
import { awaitJob } from '#src/jobs/await-job.js';
import type { Job } from '#src/jobs/job.js';
import { jobAddress } from '#src/jobs/job-address.js';
import { endImportOf } from '#src/migration/import/end/end-import.js';
import { startImport } from '#src/migration/import/receive/start-import.js';
import { importReport } from '#src/migration/import/report/import-report.js';
import { verifyReport } from '#src/migration/import/report/verify-report.js';
import type { ImportDetails } from '#src/migration/import/stores/imports.store.js';
import { migrationPermission } from '#src/migration/migration-permission.js';
import { AppError } from '#src/platform/errors.js';
import { tokenErrors } from '#src/tokens/errors.js';
import { callerOf, inOrganization, onInstance } from '../http/caller.js';
import { orgParams, problems, security } from '../http/schemas.js';
import { sendPieces } from '../http/send-pieces.js';
import { textOf } from '../http/streamed-text.js';
import type { AdminNeeds } from '../needs/needs.js';
import { importResult, verifyResult } from './import-schemas.js';

/** What these routes use. */
type Deps = Pick<
  AdminNeeds,
  | 'blobs'
  | 'caches'
  | 'clock'
  | 'config'
  | 'events'
  | 'httpsObjects'
  | 'importOrganizations'
  | 'importParts'
  | 'importResults'
  | 'importSections'
  | 'imports'
  | 'jobQueue'
  | 'jobs'
  | 'logger'
  | 'mongo'
  | 'organizationBounds'
  | 'quotas'
  | 'staging'
  | 'uploads'
>;

/** What differs from `POST /import`, for the description of the API. */
const confinedImport =
  'The body is that of `POST /import`. Nothing is imported outside of the organization. An identifier of the file that the organization does not have becomes one that only this organization can have; the same file finds it again. Verified domains are for owners of the instance, an address counts as verified only in a verified domain of the organization, and no number does. Objects come from buckets at the public hosts of their providers alone';

/** Answers of an import. */
const answers = {
  200: importResult,
  202: Type.Null({ description: 'The job, at the address of the header Location, does the work' }),
};

/**
 * `POST /import` and `POST /verify`, and `POST /orgs/{orgId}/import` for the owners of one organization. The body is staged while it
 * arrives, and is never completely in memory. Workers import it or
 * compare it. The answer waits for them until the timeout that the body names. The report of an import is a stream too.
 */
export function importRoutes(deps: Deps): FastifyPluginAsync {
  return async (app) => {
    app.addContentTypeParser('application/json', (_request, payload, done) => done(null, payload));
    // The body is a stream, which no validator can check. startImport checks it.
    app.setValidatorCompiler(() => () => true);
    app.setSerializerCompiler(() => (answer) => JSON.stringify(answer));
    addImportRoutes(app, deps);
    addVerifyRoute(app, deps);
  };
}

function addImportRoutes(app: FastifyInstance, deps: Deps): void {
  const shared = {
    tags: ['migration'],
    security,
    described: async () => (await import('./describe-migration.js')).describeImport(),
  };
  const config = { heavy: 'migration', streamed: true } as const;

  app.post(
    '/import',
    {
      config,
      onRequest: onInstance('instance.manage'),
      schema: {
        ...shared,
        operationId: 'import',
        summary: 'Import organizations and users; `Prefer: respond-async` responds at once',
        response: { ...answers, ...problems(400) },
      },
    },
    async (request, reply) => answerImport(request, reply),
  );
  app.post(
    '/orgs/:orgId/import',
    {
      config,
      onRequest: inOrganization(deps, 'org.write'),
      schema: {
        ...shared,
        operationId: 'importIntoOrganization',
        described: async () => (await import('./describe-migration.js')).describeOrganizationImport(),
        summary: 'Import users and all else into the organization; `Prefer: respond-async` responds at once',
        description: confinedImport,
        params: orgParams,
        response: { ...answers, ...problems(400, 404, 429) },
      },
    },
    async (request, reply) => answerImport(request, reply, (request.params as { orgId: string }).orgId),
  );

  /** @param within the organization whose owner imports into it alone. Undefined: an owner of the instance imports */
  async function answerImport(request: FastifyRequest, reply: FastifyReply, within?: string) {
    const { userId: requestedBy, orgId, credential } = callerOf(request);
    const begin = () => {
      const asked = { source: textOf(request), requestedBy, orgId, credential };
      return startImport(deps, within === undefined ? asked : { ...asked, within });
    };
    const { jobId, deadline } = await (within === undefined
      ? begin()
      : deps.organizationBounds.begin(within, 'import', begin));
    if (prefersAsync(request.headers['prefer'])) return answerAccepted(reply, jobAddress(deps.config, jobId));
    const { job, details } = await endedJob(deps, jobId, { deadline, requestedBy, within });
    return sendPieces(reply, importReport(deps, job, details));
  }
}

function addVerifyRoute(app: FastifyInstance, deps: Deps): void {
  app.post(
    '/verify',
    {
      config: { heavy: 'migration', streamed: true },
      onRequest: onInstance('instance.manage'),
      schema: {
        tags: ['migration'],
        security,
        operationId: 'verify',
        summary: 'Compare the body of an import with what the service has, and change nothing',
        description:
          'The differences are at `/jobs/{id}/differences`. `Prefer: respond-async` responds at once',
        response: { ...answers, 200: verifyResult, ...problems(400) },
        described: async () => (await import('./describe-migration.js')).describeVerify(),
      },
    },
    async (request, reply) => {
      const { userId: requestedBy, orgId, credential } = callerOf(request);
      const begun = { source: textOf(request), requestedBy, orgId, credential, verifies: true };
      const { jobId, deadline } = await startImport(deps, begun);
      if (prefersAsync(request.headers['prefer']))
        return answerAccepted(reply, jobAddress(deps.config, jobId));
      const { job } = await endedJob(deps, jobId, { deadline, requestedBy, within: undefined });
      return verifyReport(deps, job);
    },
  );
}

/** Waits for the end of a job. @throws AppError `tokens.permissionMissing` if the requester lost the permission meanwhile */
async function endedJob(
  deps: Deps,
  jobId: string,
  of: { deadline: Date; requestedBy: string; within: string | undefined },
): Promise<{ job: Job; details: ImportDetails | undefined }> {
  const job = await awaitJob(deps, { jobId, deadline: of.deadline });
  if (job === undefined) throw new Error(`Job ${jobId} vanished`);
  const details = await endImportOf(deps, job);
  // The requester may have lost the role meanwhile, and the report names users.
  const memberships = await deps.caches.memberships.get(of.requestedBy);
  if (!isPermitted(memberships, migrationPermission(of.within)))
    throw new AppError(tokenErrors.permissionMissing);
  return { job, details };
}
