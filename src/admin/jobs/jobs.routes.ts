import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { Static } from 'typebox';
import { cancelJob } from '#src/jobs/cancel-job.js';
import type { JobKind } from '#src/jobs/catalogue.js';
import { jobErrors } from '#src/jobs/errors.js';
import type { JobState } from '#src/jobs/job.js';
import { type JobViews, showJob } from '#src/jobs/job-view.js';
import { AppError } from '#src/platform/errors.js';
import { callerOf, editorOf } from '../http/caller.js';
import type { RouteScope } from '../http/resource-routes.js';
import { answerPage, pageOf, problems, security } from '../http/schemas.js';
import type { AdminNeeds } from '../needs/needs.js';
import { answerJob, jobToResponse, ratedProgress } from './answer-job.js';
import { job, jobParams, jobQuery, jobReaders, jobsQuery, listedJob } from './job-schemas.js';
import { requireVisibleJob, visibleJobs } from './visible-jobs.js';

/** What these routes use. */
interface Deps extends Pick<AdminNeeds, 'clock' | 'events' | 'jobs' | 'mongo'> {
  readonly views: JobViews;
}

const tags = ['jobs'];

/**
 * Routes for jobs. The owners of its organization see a job and can cancel it. So does its requester, as long as a role of
 * the requester reaches the organization. Imports and exports belong to the instance.
 */
export function jobRoutes(deps: Deps): FastifyPluginAsyncTypebox {
  return async (app) => {
    addListRoute(app, deps);
    app.get(
      '/jobs/:id',
      {
        config: { servesScim: true },
        schema: {
          tags,
          security,
          operationId: 'getJob',
          summary: 'Read a job, with its result once it ended',
          description: `${jobReaders}. With the scope \`scim\`, only a Bulk that the caller asked for`,
          params: jobParams,
          querystring: jobQuery,
          response: { 200: job, ...problems(404) },
        },
      },
      async (request, reply) => {
        const found = await requireVisibleJob(deps, callerOf(request), request.params.id);
        return answerJob(deps, reply, { found, extent: request.query.result });
      },
    );
    app.delete(
      '/jobs/:id',
      {
        schema: {
          tags,
          security,
          operationId: 'cancelJob',
          summary: 'Cancel a job and read it; work that is already done stays done',
          description: `${jobReaders}. A job that ended stays as it is`,
          params: jobParams,
          response: { 200: job, ...problems(404) },
        },
      },
      async (request, reply) => {
        const { id } = await requireVisibleJob(deps, callerOf(request), request.params.id);
        await cancelJob(deps, id, editorOf(request));
        const ended = await deps.jobs.find(id);
        if (ended === undefined) throw new AppError(jobErrors.jobNotFound);
        await deps.views[ended.kind]?.end?.(ended.id);
        return answerJob(deps, reply, { found: ended });
      },
    );
  };
}

function addListRoute(app: RouteScope, { jobs, views, clock }: Deps): void {
  app.get(
    '/jobs',
    {
      schema: {
        tags,
        security,
        operationId: 'listJobs',
        summary: 'List jobs, the newest first',
        description:
          'An owner of the instance reads all jobs. Every other caller reads those that it asked for, and those of the organizations that it owns',
        querystring: jobsQuery,
        response: { 200: pageOf(listedJob), ...problems(400) },
      },
    },
    async (request) => {
      const visible = visibleJobs(callerOf(request));
      const narrowed = conditionsOf(request.query);
      const find = async (page: { after?: string; limit: number }) => {
        const found = await jobs.page(visible, { ...page, ...narrowed });
        const shown = await Promise.all(found.map((one) => showJob(views, one)));
        return shown.map((one) => ({ ...one, progress: ratedProgress(one, clock) }));
      };
      return answerPage(request.query, find, jobToResponse);
    },
  );
}

function conditionsOf({ kind, state }: Static<typeof jobsQuery>) {
  return {
    ...(kind !== undefined && { kinds: kind.split(',') as JobKind[] }),
    ...(state !== undefined && { states: state.split(',') as JobState[] }),
  };
}
