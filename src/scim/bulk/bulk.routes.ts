import type { FastifyPluginAsync } from 'fastify';
import type { Container } from '#src/container.js';
import { prefersAsync } from '#src/http/prefer.js';
import { awaitJob } from '#src/jobs/await-job.js';
import { newId } from '#src/platform/ids.js';
import { refuseOtherMethods } from '../http/refuse-methods.js';
import { scimContextOf } from '../http/scim-context.js';
import { scimOperation } from '../http/scim-schema.js';
import { scimMediaType } from '../protocol/media-type.js';
import { limits } from '../schema/service-provider-config.js';
import { bulkResponse } from './bulk-response.js';
import { parseBulkRequest } from './parse-bulk.js';
import { stageBulk } from './staged-bulk.js';

/**
 * Workers stop so long after the deadline by themselves, should nobody be left to close the job: at the deadline itself
 * a clock that is a little ahead of this process's would stop them before they began. In milliseconds.
 */
const clockToleranceMs = 60_000;

/** `POST /Bulk`: the envelope is checked here, the work is done by workers, the answer waits until the deadline. */
export function bulkRoutes(container: Container): FastifyPluginAsync {
  const { clock, config, jobs, jobQueue } = container;
  return async (app) => {
    const schema = scimOperation('bulk', 'Applies several operations', {
      body: 'BulkRequest',
      answer: 'BulkResponse',
    });
    app.post(
      '/Bulk',
      { config: { heavy: 'bulk' }, bodyLimit: limits.bulkPayloadBytes, schema },
      async (request, reply) => {
        const context = scimContextOf(request);
        const received = clock.now();
        const bulk = parseBulkRequest(request.body);
        const jobId = newId();
        const deadline = new Date(received.getTime() + config.requestTimeoutSeconds * 1000);
        const answersLater = prefersAsync(request.headers['prefer']);
        await jobs.insert({
          id: jobId,
          kind: 'scim-bulk',
          orgId: context.organization.id,
          requestedBy: context.editor.userId,
          total: bulk.operations.length,
          created: received,
          ...(!answersLater && { deadline: new Date(deadline.getTime() + clockToleranceMs) }),
          body: stageBulk(context, bulk),
        });
        try {
          await jobQueue.enqueue({ kind: 'scim-bulk', id: jobId, queuedUnder: context.organization.id });
        } catch (error) {
          await jobs.end(jobId, 'failed');
          throw error;
        }
        if (answersLater) {
          return reply
            .code(202)
            .header('location', `${config.baseUrl}/admin/v1/jobs/${jobId}`)
            .header('preference-applied', 'respond-async')
            .send();
        }
        const job = await awaitJob(container, { jobId, deadline });
        if (job === undefined) throw new Error(`Job ${jobId} vanished`);
        return reply
          .type(scimMediaType)
          .send(JSON.stringify(bulkResponse(job, bulk.operations, context.baseUrl)));
      },
    );
    refuseOtherMethods(app, '/Bulk', ['POST']);
  };
}
