import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import { directoryErrors, permittedOnInstance } from '#src/directory/index.js';
import { answerAccepted } from '#src/http/prefer.js';
import { isOpen } from '#src/jobs/job.js';
import { jobAddress } from '#src/jobs/job-address.js';
import { submitJob } from '#src/jobs/submit-job.js';
import { AppError } from '#src/platform/errors.js';
import { newId } from '#src/platform/ids.js';
import { beginRemoval, serializeRemoval } from '#src/removal/index.js';
import { callerOf, editorOf, inOrganization, onInstance } from '../http/caller.js';
import { orgParams, problems, security } from '../http/schemas.js';
import type { AdminNeeds } from '../needs/needs.js';

/** What these routes use. */
type Deps = Pick<
  AdminNeeds,
  | 'caches'
  | 'clock'
  | 'config'
  | 'events'
  | 'jobQueue'
  | 'jobs'
  | 'logger'
  | 'memberships'
  | 'mongo'
  | 'organizations'
  | 'quotas'
  | 'serviceUsers'
  | 'users'
>;

/** The removal of an organization, for owners of the instance. */
export function organizationRemovalRoutes(deps: Deps): FastifyPluginAsyncTypebox {
  const { organizations, jobs, caches, config, clock } = deps;
  const mayWrite = inOrganization(deps, 'org.write');
  const ownsInstance = onInstance('instance.manage');
  return async (app) => {
    app.delete(
      '/orgs/:orgId',
      {
        // For an owner of the instance, an organization whose removal has begun is still there.
        onRequest: async (request) => {
          if (permittedOnInstance(callerOf(request).memberships, 'instance.manage')) return;
          await mayWrite(request);
          await ownsInstance(request);
        },
        schema: {
          tags: ['organizations'],
          security,
          operationId: 'removeOrganization',
          summary:
            'Remove an organization with everything in it, for good; it ends for everybody at once, and a job removes its data',
          params: orgParams,
          querystring: Type.Object({
            name: Type.Optional(
              Type.String({
                maxLength: 1000,
                description: 'The name of the organization, to confirm the removal',
              }),
            ),
          }),
          response: {
            202: Type.Null({ description: 'The job in Location removes the data' }),
            ...problems(400, 404, 409),
          },
        },
      },
      async (request, reply) => {
        const { orgId } = request.params;
        const editor = editorOf(request);
        const [organization, removal] = await Promise.all([
          organizations.find(orgId),
          organizations.findRemoval(orgId),
        ]);
        const name = organization?.name ?? removal?.name;
        if (name === undefined) throw new AppError(directoryErrors.organizationNotFound);
        if (request.query.name !== name) throw new AppError(directoryErrors.organizationNameDiffers);
        const last = removal && (await jobs.find(removal.jobId));
        if (last !== undefined && isOpen(last)) return answerAccepted(reply, jobAddress(config, last.id));
        const jobId = newId();
        let formerOwners: string[] = [];
        await submitJob(deps, () => ({
          job: {
            id: jobId,
            kind: 'organization-removal',
            // The job outlives the organization.
            orgId: '*',
            requestedBy: editor.userId,
            total: 0,
            created: clock.now(),
            body: serializeRemoval({ orgId, name, editor }),
          },
          alongside: async (transaction) => {
            if (organization !== undefined) {
              formerOwners = await beginRemoval(deps, { organization, jobId, editor }, transaction);
            } else if (
              !(await organizations.resumeRemoval(
                orgId,
                { from: removal?.jobId ?? '', to: jobId },
                transaction,
              ))
            ) {
              throw new AppError(directoryErrors.changing, { retryAfterSeconds: 1 });
            }
          },
        }));
        await caches.organizations.invalidate(orgId);
        await Promise.all(formerOwners.map((userId) => caches.memberships.invalidate(userId)));
        return answerAccepted(reply, jobAddress(config, jobId));
      },
    );
  };
}
