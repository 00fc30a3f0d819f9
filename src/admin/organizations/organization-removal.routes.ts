import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import { permittedOnInstance } from '#src/directory/index.js';
import { answerAccepted } from '#src/http/prefer.js';
import { jobAddress } from '#src/jobs/job-address.js';
import { requestRemoval } from '#src/removal/index.js';
import { callerOf, editorOf, inOrganization, onInstance } from '../http/caller.js';
import { orgParams, problems, security } from '../http/schemas.js';
import type { AdminNeeds } from '../needs/needs.js';

/** What these routes use. */
type Deps = Pick<
  AdminNeeds,
  | 'ableOwners'
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
        const jobId = await requestRemoval(deps, {
          orgId: request.params.orgId,
          confirmedName: request.query.name,
          editor: editorOf(request),
        });
        return answerAccepted(reply, jobAddress(deps.config, jobId));
      },
    );
  };
}
