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

/** What differs from `POST /verify`. */
const confinedVerify =
  'The body is that of `POST /verify`, and means what it means for `POST /orgs/{orgId}/import`: the file that was imported there is the same here. A record of another organization is refused';

/** Answers of an import. */
const answers = {
  200: importResult,
  202: Type.Null({ description: 'The job, at the address of the header Location, does the work' }),
};

/**
 * `POST /import` and `POST /verify`, and both under `/orgs/{orgId}` for the owners of one organization. The body is staged while it
 * arrives, and is never completely in memory. Workers import it or compare it. The answer waits for them until the timeout that the body names. The report of an import is a stream too.
 */
export function importRoutes(deps: Deps): FastifyPluginAsync {
  return async (app) => {
    app.addContentTypeParser('application/json', (_request, payload, done) => done(null, payload));
    // The body is a stream, which no validator can check. startImport checks it.
    app.setValidatorCompiler(() => () => true);
    app.setSerializerCompiler(() => (answer) => JSON.stringify(answer));
    addImportRoutes(app, deps);
    addVerifyRoutes(app, deps);
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

  async function answerImport(request: FastifyRequest, reply: FastifyReply, within?: string) {
    const begun = await beginJob(deps, request, { kind: 'import', within });
    if (prefersAsync(request.headers['prefer']))
      return answerAccepted(reply, jobAddress(deps.config, begun.jobId));
    const { job, details } = await endedJob(deps, begun);
    return sendPieces(reply, importReport(deps, job, details));
  }
}

function addVerifyRoutes(app: FastifyInstance, deps: Deps): void {
  const shared = {
    tags: ['migration'],
    security,
    described: async () => (await import('./describe-migration.js')).describeVerify(),
  };
  const config = { heavy: 'migration', streamed: true } as const;
  const differences = 'The differences are at `/jobs/{id}/differences`.';

  app.post(
    '/verify',
    {
      config,
      onRequest: onInstance('instance.manage'),
      schema: {
        ...shared,
        operationId: 'verify',
        summary: 'Compare the body of an import with what the service has, and change nothing',
        description: `${differences} \`Prefer: respond-async\` responds at once`,
        response: { ...answers, 200: verifyResult, ...problems(400) },
      },
    },
    async (request, reply) => answerVerify(request, reply),
  );
  app.post(
    '/orgs/:orgId/verify',
    {
      config,
      onRequest: inOrganization(deps, 'org.write'),
      schema: {
        ...shared,
        operationId: 'verifyOrganization',
        described: async () => (await import('./describe-migration.js')).describeOrganizationVerify(),
        summary: 'Compare the body of an import with what the organization has, and change nothing',
        description: `${confinedVerify}. ${differences} \`Prefer: respond-async\` responds at once`,
        params: orgParams,
        response: { ...answers, 200: verifyResult, ...problems(400, 404, 429) },
      },
    },
    async (request, reply) => answerVerify(request, reply, (request.params as { orgId: string }).orgId),
  );

  async function answerVerify(request: FastifyRequest, reply: FastifyReply, within?: string) {
    const begun = await beginJob(deps, request, { kind: 'verify', within });
    if (prefersAsync(request.headers['prefer']))
      return answerAccepted(reply, jobAddress(deps.config, begun.jobId));
    const { job } = await endedJob(deps, begun);
    return verifyReport(deps, job);
  }
}

/** A job that was begun. `within`: the organization whose owner began it. Undefined: an owner of the instance did. */
interface BegunJob {
  readonly jobId: string;
  readonly kind: 'import' | 'verify';
  readonly deadline: Date;
  readonly requestedBy: string;
  readonly within: string | undefined;
}

/** Stages the body and submits the job, within the bounds of the organization. @throws AppError `import.organizationBusy`, and those of `startImport` */
async function beginJob(
  deps: Deps,
  request: FastifyRequest,
  { kind, within }: { readonly kind: 'import' | 'verify'; readonly within: string | undefined },
): Promise<BegunJob> {
  const { userId: requestedBy, orgId, credential } = callerOf(request);
  const begin = () =>
    startImport(deps, {
      ...{ source: textOf(request), requestedBy, orgId, credential, verifies: kind === 'verify' },
      ...(within !== undefined && { within }),
    });
  const begun = within === undefined ? begin() : deps.organizationBounds.begin(within, kind, begin);
  return { ...(await begun), kind, requestedBy, within };
}

/** Waits for the end of a job. @throws AppError `tokens.permissionMissing` if the requester lost the permission meanwhile */
async function endedJob(
  deps: Deps,
  { jobId, kind, deadline, requestedBy, within }: BegunJob,
): Promise<{ job: Job; details: ImportDetails | undefined }> {
  const job = await awaitJob(deps, { jobId, kind, deadline });
  if (job === undefined) throw new Error(`Job ${jobId} vanished`);
  const details = await endImportOf(deps, job);
  // The requester may have lost the role meanwhile, and the report names users.
  const memberships = await deps.caches.memberships.get(requestedBy);
  if (!isPermitted(memberships, migrationPermission(within)))
    throw new AppError(tokenErrors.permissionMissing);
  return { job, details };
}
