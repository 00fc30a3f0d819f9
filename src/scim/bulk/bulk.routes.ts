import type { FastifyPluginAsync } from 'fastify';
import { answerAccepted, prefersAsync } from '#src/http/prefer.js';
import { awaitJob } from '#src/jobs/await-job.js';
import { jobAddress } from '#src/jobs/job-address.js';
import { submitJob } from '#src/jobs/submit-job.js';
import { newId } from '#src/platform/ids.js';
import { refuseOtherMethods } from '../http/refuse-methods.js';
import { scimContextOf } from '../http/scim-context.js';
import { scimOperation } from '../http/scim-schema.js';
import type { ScimNeeds } from '../needs/needs.js';
import { limits } from '../protocol/limits.js';
import { scimMediaType } from '../protocol/media-type.js';
import { bulkResponse } from './bulk-response.js';
import { parseBulkRequest } from './parse-bulk.js';
import { serializeBulk } from './staged-bulk.js';

/** If the API process died, workers stop this long after the deadline. The margin absorbs clock skew. In milliseconds. */
const clockToleranceMs = 60_000;

/** `POST /Bulk`. The route checks the envelope and workers run the operations. The answer waits until the deadline. */
export function bulkRoutes(
  deps: Pick<ScimNeeds, 'clock' | 'config' | 'jobQueue' | 'jobs' | 'logger' | 'mongo' | 'quotas'>,
): FastifyPluginAsync {
  const { clock, config } = deps;
  return async (app) => {
    const schema = scimOperation('bulk', 'Applies several operations', {
      description:
        'Workers run the operations. Each has a status of its own: 503 if it was not applied and will not be.',
      body: 'BulkRequest',
      examples: 'bulk',
      answer: 'BulkResponse',
      also: { 202: ['Location', 'Preference-Applied'] },
      mayAnswerLater: true,
    });
    app.post(
      '/Bulk',
      { config: { heavy: 'bulk' }, bodyLimit: limits.bulkPayloadBytes, schema },
      async (request, reply) => {
        const context = scimContextOf(request);
        const received = clock.now();
        const bulk = parseBulkRequest(request.body);
        // A change may set a password, or make a user a member of a group with a role.
        if (bulk.operations.some(({ method }) => method !== 'POST')) context.refuseOldSignIn?.();
        const jobId = newId();
        const deadline = new Date(received.getTime() + config.requestTimeoutSeconds * 1000);
        const answersLater = prefersAsync(request.headers['prefer']);
        await submitJob(deps, () => ({
          job: {
            id: jobId,
            kind: 'scim-bulk',
            orgId: context.organization.id,
            requestedBy: context.editor.userId,
            total: bulk.operations.length,
            created: received,
            ...(!answersLater && { deadline: new Date(deadline.getTime() + clockToleranceMs) }),
            body: serializeBulk(context, bulk),
          },
        }));
        if (answersLater) return answerAccepted(reply, jobAddress(config, jobId));
        const job = await awaitJob(deps, { jobId, kind: 'scim-bulk', deadline });
        if (job === undefined) throw new Error(`Job ${jobId} vanished`);
        return reply.type(scimMediaType).send(JSON.stringify(bulkResponse(job, bulk.operations, context)));
      },
    );
    refuseOtherMethods(app, '/Bulk', ['POST']);
  };
}
