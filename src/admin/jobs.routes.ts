import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import type { Container } from '#src/container.js';
import { permissionsIn, permittedOnInstance } from '#src/directory/roles.js';
import type { Principal } from '#src/http/authenticate.js';
import type { JobKind } from '#src/jobs/catalogue.js';
import { jobErrors } from '#src/jobs/errors.js';
import { isOpen, type Job, type JobState, type JobSummary } from '#src/jobs/job.js';
import { AppError } from '#src/platform/errors.js';
import { callerOf } from './http/caller.js';
import { answerPage, pageOf, pageQuery, problems, security, timestamp } from './schemas.js';

/** Makes the `result` of an ended job, for the kinds that have one; the room that runs a kind provides it. */
export type JobResults = Partial<Record<JobKind, (job: Job) => unknown>>;

const jobParams = Type.Object({ id: Type.String({ minLength: 1, maxLength: 200 }) });

const summary = {
  id: Type.String(),
  kind: Type.String(),
  orgId: Type.String(),
  state: Type.Unsafe<JobState>(
    Type.Enum(['queued', 'running', 'completed', 'failed', 'cancelled', 'expired'] satisfies JobState[]),
  ),
  progress: Type.Object({ processed: Type.Integer(), total: Type.Integer(), errors: Type.Integer() }),
  created: timestamp,
  finished: Type.Optional(timestamp),
};
const listedJob = Type.Object(summary);
const job = Type.Object({
  ...summary,
  result: Type.Optional(Type.Unknown({ description: 'What came of it, once it ended' })),
});

const tags = ['jobs'];

/** Jobs: seen and cancelled by who asked for them, and by who owns the organization they work in. */
export function jobRoutes(container: Container, results: JobResults): FastifyPluginAsyncTypebox {
  const { jobs, clock } = container;

  return async (app) => {
    app.get(
      '/jobs',
      {
        schema: {
          tags,
          security,
          operationId: 'listJobs',
          summary: 'List jobs, the newest first',
          querystring: pageQuery,
          response: { 200: pageOf(listedJob), ...problems(400) },
        },
      },
      async (request) => {
        const caller = callerOf(request);
        const visible = permittedOnInstance(caller.memberships, 'instance.manage')
          ? undefined
          : { requestedBy: caller.userId, orgIds: ownedOrganizations(caller) };
        return answerPage(request.query, (page) => jobs.page(visible, page), presentSummary);
      },
    );

    app.get(
      '/jobs/:id',
      {
        schema: {
          tags,
          security,
          operationId: 'getJob',
          summary: 'Read a job, with its result once it ended',
          params: jobParams,
          response: { 200: job, ...problems(404) },
        },
      },
      async (request) => present(await requireVisible(callerOf(request), request.params.id)),
    );

    app.delete(
      '/jobs/:id',
      {
        schema: {
          tags,
          security,
          operationId: 'cancelJob',
          summary: 'Cancel a job; answers it as it is then: what was done by now stays done',
          params: jobParams,
          response: { 200: job, ...problems(404) },
        },
      },
      async (request) => {
        const { id } = await requireVisible(callerOf(request), request.params.id);
        const closed = await jobs.close(id, 'cancelled', clock.now());
        if (closed === undefined) throw new AppError(jobErrors.jobNotFound);
        return present(closed);
      },
    );
  };

  async function requireVisible(caller: Principal, id: string): Promise<Job> {
    const found = await jobs.find(id);
    const visible =
      found !== undefined &&
      (found.requestedBy === caller.userId ||
        permissionsIn(caller.memberships, found.orgId)?.has('org.write'));
    if (!visible) throw new AppError(jobErrors.jobNotFound);
    return found;
  }

  function present(found: Job) {
    const result = isOpen(found) ? undefined : results[found.kind]?.(found);
    return { ...presentSummary(found), ...(result !== undefined && { result }) };
  }
}

function ownedOrganizations({ memberships }: Principal): string[] {
  const named = new Set(memberships.flatMap(({ orgId }) => (orgId === undefined ? [] : [orgId])));
  return [...named].filter((orgId) => permissionsIn(memberships, orgId)?.has('org.write'));
}

function presentSummary({ id, kind, orgId, state, progress, created, finished }: JobSummary) {
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
