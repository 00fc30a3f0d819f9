import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import { permissionsIn, permittedOnInstance } from '#src/directory/index.js';
import type { Principal } from '#src/http/auth/authenticate.js';
import { cancelJob } from '#src/jobs/cancel-job.js';
import { type JobKind, jobCatalogue } from '#src/jobs/catalogue.js';
import { jobErrors } from '#src/jobs/errors.js';
import { isOpen, type Job, type JobState } from '#src/jobs/job.js';
import { type JobViews, type ShownJob, showJob, withRate } from '#src/jobs/job-view.js';
import { AppError } from '#src/platform/errors.js';
import { callerOf, editorOf } from '../http/caller.js';
import { answerPage, pageOf, pageQuery, problems, security, timestamp } from '../http/schemas.js';
import { type PieceReply, sendPieces } from '../http/send-pieces.js';
import type { AdminNeeds } from '../needs/needs.js';

/** Who may read and cancel a job, for the description of the API. */
const readers = 'The caller asked for the job, or is an owner of its organization or of the instance';

const jobParams = Type.Object({ id: Type.String({ minLength: 1, maxLength: 200 }) });

const states: JobState[] = ['queued', 'running', 'completed', 'failed', 'cancelled', 'expired'];

const summary = {
  id: Type.String(),
  kind: Type.String(),
  orgId: Type.String(),
  state: Type.Unsafe<JobState>(Type.Enum(states)),
  progress: Type.Object({
    processed: Type.Integer(),
    total: Type.Integer(),
    errors: Type.Integer(),
    perSecond: Type.Optional(Type.Number({ description: 'Records a second, while it runs' })),
    remainingSeconds: Type.Optional(Type.Integer({ description: 'Estimate, while it runs' })),
  }),
  created: timestamp,
  finished: Type.Optional(timestamp),
};
const listedJob = Type.Object(summary, { title: 'JobSummary' });
const job = Type.Object(
  {
    ...summary,
    result: Type.Optional(
      Type.Unknown({
        description:
          'The result, once the job has ended: for an import or a verification its report, for a Bulk the BulkResponse',
      }),
    ),
  },
  { title: 'Job' },
);

const jobQuery = Type.Object({
  result: Type.Optional(
    Type.Unsafe<'full' | 'summary'>(
      Type.Enum(['full', 'summary'], {
        default: 'full',
        description: '`summary` leaves out of the result what may be long: the names and errors of an import',
      }),
    ),
  ),
});

/** Some of the values, with commas between them. An unknown value fits no job. */
const someOf = (values: readonly string[]) =>
  Type.Optional(
    Type.String({
      pattern: '^[a-z-]{1,40}(,[a-z-]{1,40}){0,9}$',
      description: `Only these, with commas between them: ${values.join(', ')}`,
    }),
  );
const listQuery = Type.Object({
  ...pageQuery.properties,
  kind: someOf(Object.keys(jobCatalogue)),
  state: someOf(states),
});

const tags = ['jobs'];

/**
 * Routes for jobs. The owners of its organization see a job and can cancel it. So does its requester, as long as a role of
 * the requester reaches the organization. Imports and exports belong to the instance.
 */
export function jobRoutes(
  deps: Pick<AdminNeeds, 'clock' | 'events' | 'jobs' | 'mongo'>,
  views: JobViews,
): FastifyPluginAsyncTypebox {
  const { jobs, clock } = deps;

  return async (app) => {
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
          querystring: listQuery,
          response: { 200: pageOf(listedJob), ...problems(400) },
        },
      },
      async (request) => {
        const caller = callerOf(request);
        const visible = permittedOnInstance(caller.memberships, 'instance.manage')
          ? undefined
          : {
              requestedBy: caller.userId,
              requestedIn: organizationsOf(caller),
              of: ownedOrganizations(caller),
            };
        const { kind, state, ...query } = request.query;
        const narrowed = {
          ...(kind !== undefined && { kinds: kind.split(',') as JobKind[] }),
          ...(state !== undefined && { states: state.split(',') as JobState[] }),
        };
        return answerPage(
          query,
          async (page) => {
            const found = await jobs.page(visible, { ...page, ...narrowed });
            const shown = await Promise.all(found.map((one) => showJob(views, one)));
            return shown.map((one) => ({ ...one, progress: rated(one) }));
          },
          presentJob,
        );
      },
    );

    app.get(
      '/jobs/:id',
      {
        config: { servesScim: true },
        schema: {
          tags,
          security,
          operationId: 'getJob',
          summary: 'Read a job, with its result once it ended',
          description: `${readers}. With the scope \`scim\`, only a Bulk that the caller asked for`,
          params: jobParams,
          querystring: jobQuery,
          response: { 200: job, ...problems(404) },
        },
      },
      async (request, reply) => {
        const found = await requireVisible(callerOf(request), request.params.id);
        return answer(reply, found, request.query.result);
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
          description: `${readers}. A job that ended stays as it is`,
          params: jobParams,
          response: { 200: job, ...problems(404) },
        },
      },
      async (request, reply) => {
        const found = await requireVisible(callerOf(request), request.params.id);
        await cancelJob(deps, found.id, editorOf(request));
        const ended = await jobs.find(found.id);
        if (ended === undefined) throw new AppError(jobErrors.jobNotFound);
        await views[ended.kind]?.end?.(ended.id);
        return answer(reply, ended);
      },
    );

    addLines(
      app,
      {
        path: '/jobs/:id/errors',
        operationId: 'listJobErrors',
        summary: 'What failed, one JSON object in each line',
        description: 'Errors until now',
      },
      (view, job) => view?.errors?.(job),
    );
    addLines(
      app,
      {
        path: '/jobs/:id/differences',
        operationId: 'listJobDifferences',
        summary: 'What a verification found to differ, one JSON object in each line',
        description: 'Records with kind (missing, different, refused, extra) and their names, until now',
      },
      (view, job) => view?.differences?.(job),
    );
    addLines(
      app,
      {
        path: '/jobs/:id/created',
        operationId: 'listJobCreations',
        summary: 'What an import created, or would create in a dry run, one JSON object in each line',
        description: 'Records with orgId, list and id, until now',
      },
      (view, job) => view?.created?.(job),
    );
  };

  /** Lines of JSON about a job. */
  function addLines(
    app: Parameters<FastifyPluginAsyncTypebox>[0],
    route: { path: string; operationId: string; summary: string; description: string },
    read: (view: JobViews[JobKind], job: Job) => AsyncIterable<unknown> | undefined,
  ): void {
    const { path, operationId, summary, description } = route;
    app.get(
      path,
      {
        schema: {
          tags,
          security,
          operationId,
          summary,
          description: `${readers}. Without such records there are no lines`,
          params: jobParams,
          response: {
            200: { description, content: { 'application/x-ndjson': { schema: Type.String() } } },
            ...problems(404),
          },
        },
      },
      async (request, reply) => {
        const found = await requireVisible(callerOf(request), request.params.id);
        const told = read(views[found.kind], found);
        return sendPieces(reply, told === undefined ? [] : lines(told), 'application/x-ndjson');
      },
    );
  }

  /** The progress with a rate. Some kinds know their own. */
  function rated(job: ShownJob): ShownJob['progress'] {
    return job.progress.perSecond === undefined ? withRate(job, clock.now()) : job.progress;
  }

  async function requireVisible(caller: Principal, id: string): Promise<Job> {
    const found = await jobs.find(id);
    const permissions = found && permissionsIn(caller.memberships, found.orgId);
    const isOwn = found?.requestedBy === caller.userId;
    const isVisible =
      permissions !== undefined &&
      (caller.scimAlone ? isOwn && found?.kind === 'scim-bulk' : isOwn || permissions.has('org.write'));
    if (found === undefined || !isVisible) throw new AppError(jobErrors.jobNotFound);
    return found;
  }

  async function answer(reply: PieceReply, found: Job, extent: 'full' | 'summary' = 'full') {
    const job = await showJob(views, found);
    const shown = presentJob({ ...job, progress: rated(job) });
    if (isOpen(found)) return shown;
    const view = views[found.kind];
    if (extent === 'summary' && view?.resultSummary !== undefined) {
      return { ...shown, result: await view.resultSummary(found) };
    }
    const pieces = view?.resultPieces?.(found);
    if (pieces !== undefined) return sendPieces(reply, withResult(shown, pieces));
    const result = view?.result?.(found);
    return { ...shown, ...(result !== undefined && { result }) };
  }
}

/** Yields the job as JSON in pieces. The result is the last property. */
async function* withResult(shown: object, result: AsyncIterable<string>): AsyncGenerator<string> {
  yield `${JSON.stringify(shown).slice(0, -1)},"result":`;
  yield* result;
  yield '}';
}

async function* lines(errors: AsyncIterable<unknown>): AsyncGenerator<string> {
  for await (const error of errors) yield `${JSON.stringify(error)}\n`;
}

/** The organizations that the roles of the caller name. */
function organizationsOf({ memberships }: Principal): string[] {
  return [...new Set(memberships.flatMap(({ orgId }) => (orgId === undefined ? [] : [orgId])))];
}

function ownedOrganizations(caller: Principal): string[] {
  return organizationsOf(caller).filter((orgId) =>
    permissionsIn(caller.memberships, orgId)?.has('org.write'),
  );
}

/** Returns the job as JSON, without its result. */
function presentJob({ id, kind, orgId, state, progress, created, finished }: ShownJob) {
  return {
    id,
    kind,
    orgId,
    state,
    progress,
    created: created.toISOString(),
    ...(finished !== undefined && { finished: finished.toISOString() }),
  };
}
