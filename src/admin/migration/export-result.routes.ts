import { Readable } from 'node:stream';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import { isPermitted, permittedOnInstance } from '#src/directory/index.js';
import { requireOnInstance } from '#src/http/auth/bearer-auth.js';
import { downloadExport, type ExportContents } from '#src/migration/export/download-export.js';
import { exportErrors } from '#src/migration/export/export-errors.js';
import { exportContentType } from '#src/migration/export/run-export.js';
import { migrationPermission } from '#src/migration/migration-permission.js';
import { AppError } from '#src/platform/errors.js';
import { callerOf, requireFreshCaller } from '../http/caller.js';
import { needing, rolesWith } from '../http/describe-callers.js';
import { problems, security } from '../http/schemas.js';
import type { AdminNeeds } from '../needs/needs.js';

const jobParams = Type.Object({ id: Type.String({ minLength: 1, maxLength: 200 }) });
const headers = Type.Object({
  range: Type.Optional(
    Type.String({
      description: '`bytes=1000-` downloads the rest from that byte on, after a broken download',
    }),
  ),
});

/** A stream, which nothing serializes. */
const text = { content: { [exportContentType]: { schema: Type.Object({}) } } };

/** `GET /jobs/{id}/result`. Downloads a staged export, until the record of its job expires. */
export function exportResultRoutes(
  deps: Pick<AdminNeeds, 'clock' | 'config' | 'events' | 'jobs' | 'mongo' | 'staging'>,
): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/jobs/:id/result',
      {
        onRequest: ofExport(deps),
        schema: {
          tags: ['migration'],
          security,
          operationId: 'getExport',
          summary: 'Download what an export with responseOutput wrote',
          params: jobParams,
          headers,
          response: { 200: text, 206: text, ...problems(400, 404, 409, 504) },
          described: async () => (await import('./describe-migration.js')).describeExportResult(),
        },
      },
      async (request, reply) => {
        const start = startOf(request.headers.range);
        const { userId } = callerOf(request);
        const beforeRead = ({ withPasskeys, withPasswords, withOtp }: ExportContents) => {
          if (!withPasskeys && !withPasswords && !withOtp) return;
          // An owner of the instance may have exported them from the organization of this caller.
          if (!permittedOnInstance(callerOf(request).memberships, 'instance.manage'))
            throw new AppError(exportErrors.secretsForOwners);
          requireFreshCaller(deps, request);
        };
        const asked = { jobId: request.params.id, start, userId, beforeRead };
        const { length, body } = await downloadExport(deps, asked);
        reply.type(exportContentType).headers({
          'accept-ranges': 'bytes',
          'cache-control': 'no-store',
          'content-length': length - start,
          ...(start > 0 && {
            'content-range': `bytes ${start}-${length - 1}/${length}`,
          }),
        });
        return reply.code(start > 0 ? 206 : 200).send(Readable.from(body, { objectMode: false }));
      },
    );
  };
}

/** Requires an owner of the instance, or of the organization whose owner began the export. An unknown job is like one of others. */
function ofExport({ jobs }: Pick<AdminNeeds, 'jobs'>) {
  return needing(rolesWith('org.write', 'organization'), async (request) => {
    const caller = callerOf(request);
    const job = await jobs.find((request.params as { id: string }).id);
    const isOwn = job !== undefined && job.orgId !== '*';
    if (isOwn && isPermitted(caller.memberships, migrationPermission(job.orgId))) return;
    requireOnInstance(caller, 'instance.manage');
  });
}

/**
 * Returns the first byte that the client requests. Any other form of range is ignored, as RFC 9110 section 14.2 allows.
 */
function startOf(range: string | undefined): number {
  return Number(/^bytes=(\d{1,15})-$/.exec(range ?? '')?.[1] ?? 0);
}
