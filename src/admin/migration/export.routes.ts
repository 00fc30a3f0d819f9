import { Readable } from 'node:stream';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import Type from 'typebox';
import { answerAccepted, prefersAsync } from '#src/http/prefer.js';
import { awaitJob } from '#src/jobs/await-job.js';
import { cancelJob } from '#src/jobs/cancel-job.js';
import { jobAddress } from '#src/jobs/job-address.js';
import { exportErrors } from '#src/migration/export/export-errors.js';
import { exportPlaceOf, requireExportResult } from '#src/migration/export/export-result.js';
import { leftOutHeader } from '#src/migration/export/left-out.js';
import { exportContentType } from '#src/migration/export/run-export.js';
import { startExport } from '#src/migration/export/start-export.js';
import { AppError } from '#src/platform/errors.js';
import { callerOf, editorOf, onInstance, requireFreshCaller } from '../http/caller.js';
import { problems, security, strictObject } from '../http/schemas.js';
import type { AdminNeeds } from '../needs/needs.js';
import { azureTarget, bucketTarget, duration, s3Target, writtenExport } from './migration-schemas.js';

/** What these routes use. */
type Deps = Pick<
  AdminNeeds,
  | 'blobs'
  | 'clock'
  | 'config'
  | 'events'
  | 'jobQueue'
  | 'jobs'
  | 'logger'
  | 'mongo'
  | 'organizations'
  | 'quotas'
  | 'staging'
>;

const organizationIds = (description: string) =>
  Type.Optional(Type.Array(Type.String({ maxLength: 200 }), { maxItems: 10_000, description }));

const named = {
  orgIds: organizationIds('Organizations to export; none named: all'),
  excludedOrgIds: organizationIds('Organizations to leave out'),
};
const outputs = {
  timeout: Type.Optional(duration('Such as `30s`, `5m` or `1h30m0s`; at most 24h, and 5m if absent')),
  responseOutput: Type.Optional(Type.Boolean({ description: 'Answer the export as the body' })),
  gcsOutput: Type.Optional(bucketTarget('Write the export to an object; it appears when it is whole')),
  s3Output: Type.Optional(s3Target('Write the export to an object; it appears when it is whole')),
  azureOutput: Type.Optional(azureTarget('Write the export to a blob; it appears when it is whole')),
};
const anyOutput = {
  anyOf: [
    { required: ['responseOutput'], properties: { responseOutput: { const: true } } },
    { required: ['gcsOutput'] },
    { required: ['s3Output'] },
    { required: ['azureOutput'] },
  ],
};

const exportBody = strictObject(
  {
    ...named,
    withPasswords: Type.Optional(
      Type.Boolean({ description: 'Include the hashes of passwords and of client secrets' }),
    ),
    withOtp: Type.Optional(Type.Boolean({ description: 'Include the secrets of second factors' })),
    ...outputs,
  },
  { examples: [{ withPasswords: true, timeout: '10m', responseOutput: true }], ruled: anyOutput },
);
const passkeysBody = strictObject(
  { ...named, ...outputs },
  { examples: [{ timeout: '10m', responseOutput: true }], ruled: anyOutput },
);
const responses = {
  200: writtenExport,
  202: Type.Null({ description: 'The job, at the address of the header Location, does the work' }),
  ...problems(400, 409, 504),
};

/** `POST /export` and `POST /export/passkeys`. Workers write and stage the export. The answer waits for them and streams the staged text. */
export function exportRoutes(deps: Deps): FastifyPluginAsyncTypebox {
  const { config, staging } = deps;

  return async (app) => {
    app.post(
      '/export',
      {
        config: { heavy: 'migration' },
        onRequest: onInstance('instance.manage'),
        schema: {
          tags: ['migration'],
          security,
          operationId: 'export',
          summary: 'Export organizations with their users; `Prefer: respond-async` responds at once',
          body: exportBody,
          response: responses,
          described: async () => (await import('./describe-migration.js')).describeExport(),
        },
      },
      async (request, reply) => {
        const { withPasswords, withOtp } = request.body;
        if (withPasswords || withOtp) requireFreshCaller(deps, request);
        return answer(request, reply, request.body);
      },
    );
    app.post(
      '/export/passkeys',
      {
        config: { heavy: 'migration' },
        onRequest: onInstance('instance.manage'),
        schema: {
          tags: ['migration'],
          security,
          operationId: 'exportPasskeys',
          summary:
            'Export the passkeys of organizations, which no other export has; an import takes the file',
          body: passkeysBody,
          response: responses,
          described: async () => (await import('./describe-migration.js')).describeExport(),
        },
      },
      (request, reply) => answer(request, reply, { ...request.body, contents: 'passkeys' }),
    );
  };

  /** Starts an export and answers it, or its job. */
  async function answer(
    request: FastifyRequest,
    reply: FastifyReply,
    given: Parameters<typeof startExport>[1],
  ) {
    const gone = goneSignal(reply);
    const { jobId, deadline } = await startExport(deps, given, callerOf(request));
    if (prefersAsync(request.headers['prefer'])) return answerAccepted(reply, jobAddress(config, jobId));
    const job = await awaitJob(deps, { jobId, deadline, signal: gone });
    if (job === undefined) {
      await cancelJob(deps, jobId, editorOf(request));
      throw new AppError(exportErrors.cancelled);
    }
    const result = requireExportResult(job);
    const { notExported } = result;
    if (result.staged === undefined) {
      return { jobId, ...exportPlaceOf(result), ...(notExported && { notExported }) };
    }
    // The body is the file, so what the file lacks is told beside it.
    if (notExported) reply.header('muster-not-exported', leftOutHeader(notExported));
    return sendOnce(reply, result.staged);
  }

  /** Sends the staged text, then removes it: the client requested it once, and it may hold password hashes. */
  function sendOnce(reply: FastifyReply, { id, length }: { id: string; length: number }): FastifyReply {
    const body = Readable.from(staging.stream(id, { start: 0, end: length }), { objectMode: false });
    body.once('close', () => {
      staging.remove(id).catch((error: unknown) => {
        deps.logger.warn({ err: error }, 'an export stays staged until it expires');
      });
    });
    return reply.type(exportContentType).header('content-length', length).send(body);
  }
}

/** Aborts when the client has closed the connection. */
function goneSignal({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController();
  if (raw.destroyed) gone.abort();
  raw.once('close', () => gone.abort());
  return gone.signal;
}
