import { Readable } from 'node:stream';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import Type, { type Static } from 'typebox';
import { permittedOnInstance } from '#src/directory/index.js';
import { answerAccepted, prefersAsync } from '#src/http/prefer.js';
import { awaitJob } from '#src/jobs/await-job.js';
import { cancelJob } from '#src/jobs/cancel-job.js';
import { jobAddress } from '#src/jobs/job-address.js';
import { exportErrors } from '#src/migration/export/export-errors.js';
import { exportDestinationOf, requireExportResult } from '#src/migration/export/export-result.js';
import { leftOutHeader } from '#src/migration/export/left-out.js';
import { exportContentType } from '#src/migration/export/run-export.js';
import { startExport } from '#src/migration/export/start-export.js';
import { AppError } from '#src/platform/errors.js';
import { callerOf, editorOf, inOrganization, onInstance, requireFreshCaller } from '../http/caller.js';
import { orgParams, problems, security, strictObject } from '../http/schemas.js';
import type { AdminNeeds } from '../needs/needs.js';
import { azureTarget, bucketTarget, duration, s3Target, writtenExport } from './migration-schemas.js';

/** What these routes use. */
type Deps = Pick<
  AdminNeeds,
  | 'blobs'
  | 'caches'
  | 'clock'
  | 'config'
  | 'events'
  | 'jobQueue'
  | 'jobs'
  | 'logger'
  | 'mongo'
  | 'organizationBounds'
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
};

/**
 * `POST /export` and `POST /export/passkeys`, and `POST /orgs/{orgId}/export` for the owners of one organization. Workers write and stage the
 * export. The answer waits for them and streams the staged text.
 */
export function exportRoutes(deps: Deps): FastifyPluginAsyncTypebox {
  const shared = {
    tags: ['migration'],
    security,
    body: exportBody,
    described: async () => (await import('./describe-migration.js')).describeExport(),
  };

  return async (app) => {
    app.post(
      '/export',
      {
        config: { heavy: 'migration' },
        onRequest: onInstance('instance.manage'),
        schema: {
          ...shared,
          operationId: 'export',
          summary: 'Export organizations with their users; `Prefer: respond-async` responds at once',
          response: { ...responses, ...problems(400, 409, 504) },
        },
      },
      async (request, reply) => {
        requireFreshForSecrets(deps, request);
        return answerExport(deps, request, reply, () => startExport(deps, request.body, callerOf(request)));
      },
    );
    app.post(
      '/orgs/:orgId/export',
      {
        config: { heavy: 'migration' },
        onRequest: inOrganization(deps, 'org.write'),
        schema: {
          ...shared,
          operationId: 'exportOrganization',
          summary: 'Export the organization with its users; `Prefer: respond-async` responds at once',
          description:
            'The body is that of `POST /export`, and names no other organization. Password hashes and secrets need an owner of the instance. Buckets are those at the public hosts of their providers',
          params: orgParams,
          response: { ...responses, ...problems(400, 404, 409, 429, 504) },
        },
      },
      async (request, reply) => {
        const caller = callerOf(request);
        const { withPasswords, withOtp } = request.body;
        if ((withPasswords || withOtp) && !permittedOnInstance(caller.memberships, 'instance.manage'))
          throw new AppError(exportErrors.secretsForOwners);
        requireFreshForSecrets(deps, request);
        const { orgId: within } = request.params;
        return answerExport(deps, request, reply, () =>
          deps.organizationBounds.begin(within, 'export', () =>
            startExport(deps, request.body, { ...caller, within }),
          ),
        );
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
          response: { ...responses, ...problems(400, 409, 504) },
          described: async () => (await import('./describe-migration.js')).describeExport(),
        },
      },
      (request, reply) =>
        answerExport(deps, request, reply, () =>
          startExport(deps, { ...request.body, contents: 'passkeys' }, callerOf(request)),
        ),
    );
  };
}

/** Hashes and secrets leave only to somebody who has signed in lately. */
function requireFreshForSecrets(
  deps: Deps,
  request: FastifyRequest<{ Body: Static<typeof exportBody> }>,
): void {
  const { withPasswords, withOtp } = request.body;
  if (withPasswords || withOtp) requireFreshCaller(deps, request);
}

/** Waits for the end of an export and answers with it. */
async function answerExport(
  deps: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
  start: () => ReturnType<typeof startExport>,
) {
  const gone = goneSignal(reply);
  const { jobId, deadline } = await start();
  if (prefersAsync(request.headers['prefer'])) return answerAccepted(reply, jobAddress(deps.config, jobId));
  const job = await awaitJob(deps, { jobId, kind: 'export', deadline, signal: gone });
  if (job === undefined) {
    await cancelJob(deps, jobId, editorOf(request));
    throw new AppError(exportErrors.cancelled);
  }
  const result = requireExportResult(job);
  const { notExported } = result;
  if (result.staged === undefined) {
    return { jobId, ...exportDestinationOf(result), ...(notExported && { notExported }) };
  }
  // The body is the file, so what the file lacks is told beside it.
  if (notExported) reply.header('muster-not-exported', leftOutHeader(notExported));
  return sendOnce(deps, reply, result.staged);
}

/** Sends the staged text, then removes it: the client requested it once, and it may hold password hashes. */
function sendOnce(
  deps: Deps,
  reply: FastifyReply,
  { id, length }: { id: string; length: number },
): FastifyReply {
  const body = Readable.from(deps.staging.stream(id, { start: 0, end: length }), { objectMode: false });
  body.once('close', () => {
    deps.staging.remove(id).catch((error: unknown) => {
      deps.logger.warn({ err: error }, 'an export stays staged until it expires');
    });
  });
  return reply.type(exportContentType).header('content-length', length).send(body);
}

/** Aborts when the client has closed the connection. */
function goneSignal({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController();
  if (raw.destroyed) gone.abort();
  raw.once('close', () => gone.abort());
  return gone.signal;
}
