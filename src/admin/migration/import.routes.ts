import type { FastifyPluginAsync } from 'fastify';
import Type from 'typebox';
import { permittedOnInstance } from '#src/directory/index.js';
import { answerAccepted, prefersAsync } from '#src/http/prefer.js';
import { awaitJob } from '#src/jobs/await-job.js';
import type { Job } from '#src/jobs/job.js';
import { jobAddress } from '#src/jobs/job-address.js';
import { endImportOf } from '#src/migration/import/end/end-import.js';
import { startImport } from '#src/migration/import/receive/start-import.js';
import { importReport } from '#src/migration/import/report/import-report.js';
import { verifyReport } from '#src/migration/import/report/verify-report.js';
import type { ImportDetails } from '#src/migration/import/stores/imports.store.js';
import { AppError } from '#src/platform/errors.js';
import { tokenErrors } from '#src/tokens/errors.js';
import { callerOf, onInstance } from '../http/caller.js';
import { problems, security } from '../http/schemas.js';
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
  | 'quotas'
  | 'staging'
  | 'uploads'
>;

/**
 * `POST /import` and `POST /verify`. The body is staged while it arrives, and is never completely in memory. Workers import it or
 * compare it. The answer waits for them until the timeout that the body names. The report of an import is a stream too.
 */
export function importRoutes(deps: Deps): FastifyPluginAsync {
  const { config } = deps;

  return async (app) => {
    app.addContentTypeParser('application/json', (_request, payload, done) => done(null, payload));
    // The body is a stream, which no validator can check. startImport checks it.
    app.setValidatorCompiler(() => () => true);
    app.setSerializerCompiler(() => (answer) => JSON.stringify(answer));

    app.post(
      '/import',
      {
        config: { heavy: 'migration', streamed: true },
        onRequest: onInstance('instance.manage'),
        schema: {
          tags: ['migration'],
          security,
          operationId: 'import',
          summary: 'Import organizations and users; `Prefer: respond-async` responds at once',
          response: {
            200: importResult,
            202: Type.Null({ description: 'The job, at the address of the header Location, does the work' }),
            ...problems(400),
          },
          described: async () => (await import('./describe-migration.js')).describeImport(),
        },
      },
      async (request, reply) => {
        const { userId: requestedBy, orgId, credential } = callerOf(request);
        const source = textOf(request);
        const { jobId, deadline } = await startImport(deps, { source, requestedBy, orgId, credential });
        if (prefersAsync(request.headers['prefer'])) return answerAccepted(reply, jobAddress(config, jobId));
        const { job, details } = await endedJob(jobId, { deadline, requestedBy });
        return sendPieces(reply, importReport(deps, job, details));
      },
    );

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
          response: {
            200: verifyResult,
            202: Type.Null({ description: 'The job, at the address of the header Location, does the work' }),
            ...problems(400),
          },
          described: async () => (await import('./describe-migration.js')).describeVerify(),
        },
      },
      async (request, reply) => {
        const { userId: requestedBy, orgId, credential } = callerOf(request);
        const begun = { source: textOf(request), requestedBy, orgId, credential, verifies: true };
        const { jobId, deadline } = await startImport(deps, begun);
        if (prefersAsync(request.headers['prefer'])) return answerAccepted(reply, jobAddress(config, jobId));
        const { job } = await endedJob(jobId, { deadline, requestedBy });
        return verifyReport(deps, job);
      },
    );
  };

  /** Waits for the end of a job. @throws AppError `tokens.permissionMissing` if the requester lost the permission meanwhile */
  async function endedJob(
    jobId: string,
    of: { deadline: Date; requestedBy: string },
  ): Promise<{ job: Job; details: ImportDetails | undefined }> {
    const job = await awaitJob(deps, { jobId, deadline: of.deadline });
    if (job === undefined) throw new Error(`Job ${jobId} vanished`);
    const details = await endImportOf(deps, job);
    // The requester may have lost the role meanwhile, and the report names users of any organization.
    const memberships = await deps.caches.memberships.get(of.requestedBy);
    if (!permittedOnInstance(memberships, 'instance.manage'))
      throw new AppError(tokenErrors.permissionMissing);
    return { job, details };
  }
}
