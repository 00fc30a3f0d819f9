import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import type { JobKind } from '#src/jobs/catalogue.js';
import type { Job } from '#src/jobs/job.js';
import type { JobViews } from '#src/jobs/job-view.js';
import { callerOf } from '../http/caller.js';
import type { RouteScope } from '../http/resource-routes.js';
import { problems, security } from '../http/schemas.js';
import { sendPieces } from '../http/send-pieces.js';
import type { AdminNeeds } from '../needs/needs.js';
import { jobParams, jobReaders } from './job-schemas.js';
import { requireVisibleJob } from './visible-jobs.js';

/** What these routes use. */
interface Deps extends Pick<AdminNeeds, 'jobs'> {
  readonly views: JobViews;
}

/** Records about a job, one JSON object in each line. */
interface Records {
  readonly path: string;
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly read: (view: JobViews[JobKind], job: Job) => AsyncIterable<unknown> | undefined;
}

/** Routes for what a job found and did, record by record. Whoever may read the job may read them. */
export function jobRecordRoutes(deps: Deps): FastifyPluginAsyncTypebox {
  return async (app) => {
    addRecordRoute(app, deps, {
      path: '/jobs/:id/errors',
      operationId: 'listJobErrors',
      summary: 'What failed, one JSON object in each line',
      description: 'Errors until now',
      read: (view, job) => view?.errors?.(job),
    });
    addRecordRoute(app, deps, {
      path: '/jobs/:id/differences',
      operationId: 'listJobDifferences',
      summary: 'What a verification found to differ, one JSON object in each line',
      description: 'Records with kind (missing, different, refused, extra) and their names, until now',
      read: (view, job) => view?.differences?.(job),
    });
    addRecordRoute(app, deps, {
      path: '/jobs/:id/created',
      operationId: 'listJobCreations',
      summary: 'What an import created, or would create in a dry run, one JSON object in each line',
      description: 'Records with orgId, list and id, until now',
      read: (view, job) => view?.created?.(job),
    });
  };
}

function addRecordRoute(app: RouteScope, deps: Deps, records: Records): void {
  const { path, operationId, summary, description, read } = records;
  app.get(
    path,
    {
      schema: {
        tags: ['jobs'],
        security,
        operationId,
        summary,
        description: `${jobReaders}. Without such records there are no lines`,
        params: jobParams,
        response: {
          200: { description, content: { 'application/x-ndjson': { schema: Type.String() } } },
          ...problems(404),
        },
      },
    },
    async (request, reply) => {
      const found = await requireVisibleJob(deps, callerOf(request), request.params.id);
      const records = read(deps.views[found.kind], found);
      return sendPieces(reply, records === undefined ? [] : lines(records), 'application/x-ndjson');
    },
  );
}

async function* lines(records: AsyncIterable<unknown>): AsyncGenerator<string> {
  for await (const record of records) yield `${JSON.stringify(record)}\n`;
}
