import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import {
  type PutSignInPolicyDeps,
  putSignInPolicy,
  requireTriablePolicy,
  type TrySignInPolicyDeps,
  trySignInPolicy,
} from '#src/authentication/sign-in-policy/index.js';
import { directoryErrors, type SignInPolicy } from '#src/directory/index.js';
import { answerAccepted } from '#src/http/prefer.js';
import { jobAddress } from '#src/jobs/job-address.js';
import { submitJob } from '#src/jobs/submit-job.js';
import { requireOrganization } from '#src/organizations/index.js';
import { AppError } from '#src/platform/errors.js';
import { newId } from '#src/platform/ids.js';
import { createKeyedSemaphore } from '#src/platform/work/keyed-semaphore.js';
import { callerOf, inOrganization } from '../http/caller.js';
import { objectRoutes } from '../http/resource-routes.js';
import { orgParams, problems, security } from '../http/schemas.js';
import type { AdminNeeds } from '../needs/needs.js';
import { longestTrialMs, type PolicyTrialRequest, writePolicyTrial } from '../policy-trials/policy-trial.js';
import { policyBody, shownPolicy, shownTrial, triedPolicy } from './sign-in-policy-schemas.js';

const tags = ['sign-in policy'];
const path = '/orgs/:orgId/sign-in-policy';

/** What these routes use. */
type Deps = Pick<
  AdminNeeds,
  | 'caches'
  | 'clock'
  | 'config'
  | 'groups'
  | 'jobQueue'
  | 'jobs'
  | 'logger'
  | 'mongo'
  | 'organizations'
  | 'quotas'
  | 'users'
> &
  PutSignInPolicyDeps &
  TrySignInPolicyDeps;

/** Routes for what an organization demands of the sign-ins of its people. */
export function signInPolicyRoutes(deps: Deps): FastifyPluginAsyncTypebox {
  // A trial reads up to 20,000 users.
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
          description:
            'If more than 20,000 people have a role, are in a group that the policy names, or sign in at another provider, a job looks at everybody. ' +
            'An organization has one such job at a time. Its result is the answer, with the policy',
          params: orgParams,
          body: triedPolicy,
          response: {
            200: shownTrial,
            202: Type.Null({ description: 'The job in Location does it' }),
            ...problems(400, 404, 409, 429),
          },
        },
      },
      async (request, reply) => {
        const { orgId } = request.params;
        const policy = await requireTriablePolicy(deps, { orgId, policy: request.body });
        const trial = await turns.run(orgId, () => trySignInPolicy(deps, { orgId, policy }));
        if (trial !== undefined) return trial;
        const { userId, credential } = callerOf(request);
        const jobId = await submitTrial(deps, { orgId, policy, userId, credential });
        return answerAccepted(reply, jobAddress(deps.config, jobId)) as never;
      },
    );
  };
}

/** @returns the identifier of the job @throws AppError `directory.trialUnderWay`, and the errors of {@link submitJob} */
async function submitTrial(deps: Deps, trial: PolicyTrialRequest): Promise<string> {
  const { orgId, userId: requestedBy } = trial;
  const kind = 'policy-trial';
  if ((await deps.jobs.countOpenOf(orgId, { kind, most: 1 })) > 0)
    throw new AppError(directoryErrors.trialUnderWay);
  const [id, created] = [newId(), deps.clock.now()];
  const total = await deps.users.count(orgId);
  const deadline = new Date(created.getTime() + longestTrialMs);
  const body = writePolicyTrial(trial);
  await submitJob(deps, () => ({ job: { id, kind, orgId, requestedBy, total, created, deadline, body } }));
  return id;
}

function toResponse({ policy, version }: { policy: SignInPolicy; version: number }) {
  return { ...policy, version };
}
