import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import {
  type PutSignInPolicyDeps,
  putSignInPolicy,
  type TrySignInPolicyDeps,
  trySignInPolicy,
} from '#src/authentication/sign-in-policy/index.js';
import { directoryErrors, type SignInPolicy } from '#src/directory/index.js';
import { requireOrganization } from '#src/organizations/index.js';
import { AppError } from '#src/platform/errors.js';
import { createKeyedSemaphore } from '#src/platform/work/keyed-semaphore.js';
import { inOrganization } from '../http/caller.js';
import { objectRoutes } from '../http/resource-routes.js';
import { orgParams, problems, security } from '../http/schemas.js';
import type { AdminNeeds } from '../needs/needs.js';
import { policyBody, shownPolicy, shownTrial, triedPolicy } from './sign-in-policy-schemas.js';

const tags = ['sign-in policy'];
const path = '/orgs/:orgId/sign-in-policy';

/** Routes for what an organization demands of the sign-ins of its people. */
export function signInPolicyRoutes(
  deps: Pick<AdminNeeds, 'caches' | 'groups' | 'organizations'> & PutSignInPolicyDeps & TrySignInPolicyDeps,
): FastifyPluginAsyncTypebox {
  // A trial reads every user.
  const turns = createKeyedSemaphore({
    ...{ atOnce: 1, waiting: 2, longestWaitMs: 10_000 },
    refuse: () => new AppError(directoryErrors.tooManySearches, { retryAfterSeconds: 5 }),
  });
  return async (app) => {
    const routes = objectRoutes(app, { tags, path, params: orgParams, shown: shownPolicy, toResponse });
    routes.get({
      onRequest: inOrganization(deps, 'org.read'),
      operationId: 'getSignInPolicy',
      summary: 'Read the sign-in policy. What it does not name is as the instance has it',
      find: async ({ orgId }) => {
        const { signInPolicy = {}, version } = await requireOrganization(deps.organizations.find, orgId);
        return { policy: signInPolicy, version };
      },
    });
    routes.put({
      onRequest: inOrganization(deps, 'org.write'),
      operationId: 'putSignInPolicy',
      summary: 'Replace the sign-in policy. Properties that are absent are as the instance has them',
      description:
        'Sessions meet the new policy at their next authorization. A policy under which no owner could sign in is refused',
      body: policyBody,
      fails: [400, 404, 409, 412],
      run: (target, { version, ...policy }) => putSignInPolicy(deps, { ...target, policy, version }),
    });
    app.post(
      `${path}/trial`,
      {
        onRequest: inOrganization(deps, 'org.write'),
        config: { heavy: 'list' },
        schema: {
          tags,
          security,
          operationId: 'trySignInPolicy',
          summary: 'Say what a sign-in policy would do. Nothing is written',
          params: orgParams,
          body: triedPolicy,
          response: { 200: shownTrial, ...problems(400, 404, 409) },
        },
      },
      ({ params: { orgId }, body: policy }) =>
        turns.run(orgId, () => trySignInPolicy(deps, { orgId, policy })),
    );
  };
}

function toResponse({ policy, version }: { policy: SignInPolicy; version: number }) {
  return { ...policy, version };
}
