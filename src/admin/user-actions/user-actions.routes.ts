import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type, { type Static } from 'typebox';
import { requireGroupAuthority } from '#src/access/authority/index.js';
import { directoryErrors } from '#src/directory/index.js';
import { answerAccepted } from '#src/http/prefer.js';
import { jobAddress } from '#src/jobs/job-address.js';
import { submitJob } from '#src/jobs/submit-job.js';
import { AppError } from '#src/platform/errors.js';
import { newId } from '#src/platform/ids.js';
import { createKeyedSemaphore } from '#src/platform/work/keyed-semaphore.js';
import { callerOf, inOrganization } from '../http/caller.js';
import { orNotFound } from '../http/or-not-found.js';
import { orgParams, problems, security, strictObject } from '../http/schemas.js';
import type { AdminNeeds } from '../needs/needs.js';
import { type FoundForAction, findUsersForAction, type WantedUsers } from './find-users.js';
import {
  mostNamedUsers,
  mostUsersOfAction,
  type UserActionName,
  userActionNames,
  writeUserAction,
} from './user-action.js';

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
  | 'quotas'
  | 'userSearch'
>;

const identifier = Type.String({ minLength: 1, maxLength: 200 });

/** The action with a group and those without one. A dry run counts the users, so it needs no group. */
const groupOfAction = {
  anyOf: [
    { properties: { action: { const: 'addToGroup' } }, required: ['groupId'] },
    {
      properties: {
        action: { enum: userActionNames.filter((name) => name !== 'addToGroup') },
        groupId: false,
      },
    },
    { properties: { dryRun: { const: true }, groupId: false }, required: ['dryRun'] },
  ],
};
const eitherWay = { oneOf: [{ required: ['userIds'] }, { required: ['search'] }] };

const body = strictObject(
  {
    action: Type.Unsafe<UserActionName>(
      Type.Enum([...userActionNames], {
        description:
          '`sendLinks` mails each user a link that sets a password. Each user is checked as by the operation for one',
      }),
    ),
    groupId: Type.Optional(
      Type.String({
        ...identifier,
        description: 'Only of `addToGroup`: the group. A dry run may leave it out',
      }),
    ),
    userIds: Type.Optional(
      Type.Array(identifier, {
        minItems: 1,
        maxItems: mostNamedUsers,
        description: 'The users. Unknown ones are left out',
      }),
    ),
    search: Type.Optional(
      strictObject({
        text: Type.Optional(Type.String({ maxLength: 200, description: 'As `search` of the list of users' })),
        active: Type.Optional(Type.Boolean()),
      }),
    ),
    expected: Type.Optional(
      Type.Integer({
        minimum: 0,
        description: 'The number of users that was confirmed. With another number nothing is done',
      }),
    ),
    dryRun: Type.Optional(Type.Boolean({ description: 'Only count the users, and name the first' })),
  },
  {
    examples: [{ action: 'deactivate', userIds: ['the-user'], expected: 1 }],
    ruled: { allOf: [eitherWay, groupOfAction] },
  },
);

const preview = Type.Object(
  {
    users: Type.Integer({ description: 'How many users the action concerns' }),
    first: Type.Array(
      Type.Object({ id: Type.String(), userName: Type.String(), displayName: Type.String() }),
    ),
  },
  { title: 'UserActionPreview' },
);
/** How many actions of an organization may be open. Each names up to 10,000 users until it ends. */
const mostOpen = 10;

/** @throws AppError `directory.tooManyActions` */
async function requireFewOpen({ jobs }: Pick<Deps, 'jobs'>, orgId: string): Promise<void> {
  if ((await jobs.countOpenOf(orgId, { kind: 'user-actions', most: mostOpen })) < mostOpen) return;
  throw new AppError(directoryErrors.tooManyActions, { retryAfterSeconds: 30 });
}

/** How many users a preview names. */
const mostShown = 10;

/** `POST /orgs/{orgId}/user-actions`: one action with many users, which a job does. */
export function userActionRoutes(deps: Deps): FastifyPluginAsyncTypebox {
  // A search reads up to 60,000 users.
  const turns = createKeyedSemaphore({
    ...{ atOnce: 1, waiting: 16, longestWaitMs: 10_000 },
    refuse: () => new AppError(directoryErrors.tooManySearches, { retryAfterSeconds: 5 }),
  });
  return async (app) => {
    app.post(
      '/orgs/:orgId/user-actions',
      {
        onRequest: inOrganization(deps, 'user.write'),
        config: { heavy: 'list' },
        schema: {
          tags: ['users'],
          security,
          operationId: 'actOnUsers',
          summary: `Do one action with up to ${mostUsersOfAction} users: those who are named, or all whom a search finds`,
          description:
            'A job does it. Its result counts the users with whom it was done, those with whom nothing had to be done, and ' +
            'those with whom it failed, and names the first of these with the error. The requester is never deactivated',
          params: orgParams,
          body,
          response: {
            200: preview,
            202: Type.Null({ description: 'The job in Location does it' }),
            ...problems(400, 404, 409, 429),
          },
        },
      },
      async (request, reply) => {
        const { orgId } = request.params;
        const { action, groupId, expected, dryRun } = request.body;
        const caller = callerOf(request);
        if (action === 'sendLinks' && deps.config.smtpUrl === '')
          throw new AppError(directoryErrors.mailMissing);
        if (groupId !== undefined || dryRun !== true)
          await requireGroup(deps, { orgId, callerId: caller.userId, action, groupId });
        const wanted = wantedOf(request.body);
        const found = await turns.run(orgId, async () => {
          if (dryRun !== true) await requireFewOpen(deps, orgId);
          return findUsersForAction(deps, orgId, wanted);
        });
        if (dryRun === true) return previewToResponse(found);
        if (found.length === 0 || (expected !== undefined && expected !== found.length))
          throw new AppError(directoryErrors.usersDiffer);
        const id = newId();
        await submitJob(deps, () => ({
          job: {
            id,
            kind: 'user-actions',
            orgId,
            requestedBy: caller.userId,
            total: found.length,
            created: deps.clock.now(),
            body: writeUserAction({
              action,
              ...(groupId !== undefined && { groupId }),
              orgId,
              userIds: found.map((user) => user.id),
              userId: caller.userId,
              credential: caller.credential,
            }),
          },
        }));
        return answerAccepted(reply, jobAddress(deps.config, id)) as never;
      },
    );
  };
}

/** @throws AppError `directory.valueInvalid` unless the body names users in one of the two ways */
function wantedOf({ userIds, search }: Static<typeof body>): WantedUsers {
  if (userIds !== undefined && search === undefined) return { userIds };
  if (search !== undefined && userIds === undefined) return { search };
  throw new AppError(directoryErrors.valueInvalid, { detail: 'Either userIds or search is needed' });
}

/** @throws AppError `directory.valueInvalid`, `directory.groupNotFound`, `directory.groupOutranksCaller` */
async function requireGroup(
  deps: Pick<Deps, 'caches' | 'groups'>,
  of: { orgId: string; callerId: string; action: UserActionName; groupId: string | undefined },
): Promise<void> {
  const { orgId, callerId, action, groupId } = of;
  if ((action === 'addToGroup') !== (groupId !== undefined))
    throw new AppError(directoryErrors.valueInvalid, {
      detail: 'addToGroup needs a groupId, and no other action',
    });
  if (groupId === undefined) return;
  const roles = await orNotFound(deps.groups.held(orgId, groupId), directoryErrors.groupNotFound);
  await requireGroupAuthority(deps, { callerId, orgId, roles });
}

function previewToResponse(found: FoundForAction): Static<typeof preview> {
  const first = found
    .slice(0, mostShown)
    .map(({ id, userName, displayName }) => ({ id, userName, displayName }));
  return { users: found.length, first };
}
