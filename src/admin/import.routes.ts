import { Readable } from 'node:stream';
import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
import Type from 'typebox';
import type { Container } from '#src/container.js';
import { permittedOnInstance } from '#src/directory/memberships/roles.js';
import { isGzipped } from '#src/http/bodies/content-encoding.js';
import { inflated } from '#src/http/bodies/inflated.js';
import { answerAccepted, prefersAsync } from '#src/http/prefer.js';
import { awaitJob } from '#src/jobs/await-job.js';
import { jobAddress } from '#src/jobs/job-address.js';
import { importReport } from '#src/migration/import/report/import-report.js';
import { endImport } from '#src/migration/import/run/end-import.js';
import { startImport } from '#src/migration/import/run/start-import.js';
import { importErrors } from '#src/migration/import/sections/import-codes.js';
import { AppError } from '#src/platform/errors.js';
import { tokenErrors } from '#src/tokens/errors.js';
import { callerOf, onInstance } from './http/caller.js';
import { sendPieces } from './http/send-pieces.js';
import { importResult } from './import-schemas.js';
import { problems, security } from './schemas.js';

/**
 * `POST /import`. The body is staged while it arrives, and is never completely in memory. Workers import it. The answer
 * waits for them until the timeout that the body names. The answer is a stream too.
 */
export function importRoutes(container: Container): FastifyPluginAsync {
  const { config } = container;

  return async (app) => {
    app.addContentTypeParser('application/json', (_request, payload, done) => done(null, payload));
    // The body is a stream, which no validator can check. startImport checks it.
    app.setValidatorCompiler(() => () => true);
    app.setSerializerCompiler(() => (answer) => JSON.stringify(answer));

    app.post(
      '/import',
      {
        config: { heavy: 'migration', streamed: true, sensitive: true },
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
          described: async () => (await import('./description/describe-migration.js')).describeImport(),
        },
      },
      async (request, reply) => {
        const { userId: requestedBy, orgId, credential } = callerOf(request);
        const source = textOf(request);
        const { jobId, deadline } = await startImport(container, { source, requestedBy, orgId, credential });
        if (prefersAsync(request.headers['prefer'])) return answerAccepted(reply, jobAddress(config, jobId));
        await awaitJob(container, { jobId, deadline });
        await endImport(container, jobId);
        // The requester may have lost the role meanwhile, and the report names users of any organization.
        const memberships = await container.caches.memberships.get(requestedBy);
        if (!permittedOnInstance(memberships, 'instance.manage'))
          throw new AppError(tokenErrors.permissionMissing);
        const job = await container.jobs.find(jobId);
        if (job === undefined) throw new Error(`Job ${jobId} vanished`);
        return sendPieces(reply, importReport(container, job));
      },
    );
  };
}

/**
 * The text of the import, which may arrive compressed with gzip.
 * @throws AppError `import.bodyMalformed`, `http.encodingUnsupported`
 */
function textOf(request: FastifyRequest): AsyncIterable<Uint8Array> {
  const isCompressed = isGzipped(request);
  const { body } = request;
  if (!(body instanceof Readable))
    throw new AppError(importErrors.bodyMalformed, { detail: 'There is no body' });
  return isCompressed ? inflated(received(body)) : received(body);
}

/**
 * Yields the chunks of the body. If the client closes the connection, the error is an error of the client, not of a
 * store. A refused body is not destroyed, because a client that is sending would not see the answer.
 */
async function* received(body: Readable): AsyncGenerator<Uint8Array> {
  try {
    yield* body.iterator({ destroyOnReturn: false });
  } catch (cause) {
    throw new AppError(importErrors.bodyMalformed, { detail: 'The body broke off', cause });
  }
}
