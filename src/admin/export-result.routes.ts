import { Readable } from 'node:stream';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import type { Container } from '#src/container.js';
import { isOpen } from '#src/jobs/job.js';
import { exportErrors } from '#src/migration/export/export-errors.js';
import { requireExportResult } from '#src/migration/export/export-result.js';
import { recordDownload } from '#src/migration/export/record-download.js';
import { exportContentType } from '#src/migration/export/run-export.js';
import { AppError } from '#src/platform/errors.js';
import { callerOf, onInstance } from './http/caller.js';
import { problems, security } from './schemas.js';

const jobParams = Type.Object({ id: Type.String({ minLength: 1, maxLength: 200 }) });
const headers = Type.Object({
  range: Type.Optional(
    Type.String({
      description: '`bytes=1000-` downloads the rest from that byte on, after a broken download',
    }),
  ),
});
const text = { content: { [exportContentType]: { schema: Type.Object({}) } } };

/** `GET /jobs/{id}/result`. Downloads a staged export, until the record of its job expires. */
export function exportResultRoutes(container: Container): FastifyPluginAsyncTypebox {
  const { jobs, staging } = container;

  return async (app) => {
    app.get(
      '/jobs/:id/result',
      {
        onRequest: onInstance('instance.manage'),
        schema: {
          tags: ['migration'],
          security,
          operationId: 'getExport',
          summary: 'Download what an export with responseOutput wrote',
          params: jobParams,
          headers,
          response: {
            200: { description: 'The export', ...text },
            206: { description: 'The rest of the export', ...text },
            ...problems(400, 404, 409, 504),
          },
        },
      },
      async (request, reply) => {
        const job = await jobs.find(request.params.id);
        if (job === undefined || job.kind !== 'export' || isOpen(job)) {
          throw new AppError(exportErrors.resultMissing);
        }
        const { staged, withPasswords, withOtp } = requireExportResult(job);
        if (staged === undefined || !(await staging.has(staged.id))) {
          throw new AppError(exportErrors.resultMissing);
        }
        const start = startOf(request.headers.range);
        if (start >= staged.length) throw new AppError(exportErrors.rangeInvalid);
        const { userId } = callerOf(request);
        await recordDownload(container, job.id, { userId, withPasswords, withOtp, start });
        reply.type(exportContentType).headers({
          'accept-ranges': 'bytes',
          'cache-control': 'no-store',
          'content-length': staged.length - start,
          ...(start > 0 && {
            'content-range': `bytes ${start}-${staged.length - 1}/${staged.length}`,
          }),
        });
        const body = staging.stream(staged.id, { start, end: staged.length });
        return reply.code(start > 0 ? 206 : 200).send(Readable.from(body, { objectMode: false }));
      },
    );
  };
}

/** The first byte of the answer. Any other form of range is ignored, as RFC 9110 section 14.2 allows. */
function startOf(range: string | undefined): number {
  return Number(/^bytes=(\d{1,15})-$/.exec(range ?? '')?.[1] ?? 0);
}
