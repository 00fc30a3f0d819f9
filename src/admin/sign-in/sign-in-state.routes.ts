import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import {
  readSignInState,
  refusedChecks,
  type SignInState,
  signInObstacles,
  signInSteps,
} from '#src/authentication/index.js';
import { demandedLevels, demandScopes, firstFactors, permissionsIn } from '#src/directory/index.js';
import { callerOf, inOrganization } from '../http/caller.js';
import { problems, security, timestamp, userParams } from '../http/schemas.js';
import type { AdminNeeds } from '../needs/needs.js';

const lock = Type.Object({
  of: Type.Enum(['password', 'loginName', 'code'], {
    description:
      '`password`: the account, whose right password is then refused like a wrong one. `loginName`: one login name. `code`: the ' +
      'second factor',
  }),
  loginName: Type.Optional(Type.String({ description: 'The name, if a name is locked' })),
  failures: Type.Integer(),
  until: timestamp,
});

const refusal = Type.Object({
  time: timestamp,
  reason: Type.Enum(['password', 'code', 'passkey', 'lock'], {
    description: '`lock`: the refusal locked the user',
  }),
  why: Type.Optional(
    Type.Enum([...refusedChecks], { description: '`locked`: the proof may have been right' }),
  ),
  clientId: Type.Optional(Type.String({ description: 'The application to which the person signed in' })),
  address: Type.Optional(Type.String({ description: 'Only for callers who may read the log' })),
  userAgent: Type.Optional(Type.String({ description: 'Only for callers who may read the log' })),
});

const unmetRule = Type.Unsafe<SignInState['unmetRules'][number]>(
  Type.Object({
    rule: Type.Enum(['firstFactors', 'demand'], {
      description:
        '`firstFactors`: the user has nothing that may begin a sign-in. `demand`: the user lacks a factor for a demand',
    }),
    factors: Type.Optional(
      Type.Array(Type.Enum([...firstFactors]), { description: 'What may begin a sign-in' }),
    ),
    of: Type.Optional(Type.Enum([...demandScopes])),
    groups: Type.Optional(Type.Array(Type.String())),
    acr: Type.Optional(Type.Enum([...demandedLevels])),
    from: Type.Optional(
      Type.String({ description: 'The day from which the rule holds. Absent for what holds already' }),
    ),
    holds: Type.Optional(Type.Boolean({ description: 'Of a demand: whether its day has come' })),
  }),
);

const state = Type.Object({
  userId: Type.String(),
  orgId: Type.String(),
  userName: Type.String(),
  displayName: Type.String(),
  active: Type.Boolean(),
  password: Type.Optional(
    Type.Object(
      { changed: timestamp, changeRequired: Type.Boolean() },
      { description: 'Absent if the user has no password' },
    ),
  ),
  secondFactor: Type.Optional(
    Type.Object({ enrolled: timestamp }, { description: 'Absent if the user has no second factor' }),
  ),
  connections: Type.Array(Type.Object({ id: Type.String(), name: Type.String(), enabled: Type.Boolean() }), {
    description: 'The connections with which the user is linked',
  }),
  locks: Type.Array(lock, { description: 'The locks that stand' }),
  obstacles: Type.Array(Type.Enum([...signInObstacles]), {
    description:
      'What prevents a sign-in. Empty if the user can sign in. Two of them follow from the sign-in policy: `passwordsOff`, under which no ' +
      'password signs in, and `factorMissing`, which demands a factor that the user does not have',
  }),
  steps: Type.Array(Type.Enum([...signInSteps]), {
    description:
      'What a sign-in asks for after the right password, or after what else begins it. `recovery` is a recovery code, after which a factor ' +
      'is set up. `enrol` sets up one-time codes, and `enrolPasskey` a passkey',
  }),
  unmetRules: Type.Array(unmetRule, {
    description:
      'The rules of the sign-in policy that the user cannot meet with what the user has, now or from a later day on',
  }),
  loginNames: Type.Array(Type.String(), {
    description: 'Login names that mean this user, whoever else in another organization has the userName',
  }),
  refused: Type.Array(refusal, { description: 'At most 20, of the last 30 days, the newest first' }),
  lastAccepted: Type.Optional(
    Type.String({ format: 'date-time', description: 'The newest right password of the last 30 days' }),
  ),
});

/** The route that says why a user cannot sign in. */
export function signInStateRoutes(
  deps: Pick<
    AdminNeeds,
    | 'accounts'
    | 'caches'
    | 'clock'
    | 'codeAttempts'
    | 'config'
    | 'events'
    | 'groupMembers'
    | 'identityLinks'
    | 'loginAttempts'
  >,
): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/orgs/:orgId/users/:id/sign-in-state',
      {
        onRequest: inOrganization(deps, 'user.read'),
        schema: {
          tags: ['users'],
          security,
          operationId: 'getSignInState',
          summary: 'Read what a sign-in of the user meets: what prevents it, and how the recent ones went',
          params: userParams,
          response: { 200: state, ...problems(404) },
        },
      },
      async (request) => {
        const state = await readSignInState(deps, request.params);
        const mine = permissionsIn(callerOf(request).memberships, request.params.orgId);
        return toResponse(state, { withOrigin: mine?.has('org.read') === true });
      },
    );
  };
}

/** @param options `withOrigin`: with what only the log tells otherwise */
function toResponse(
  { user, password, secondFactor, ...rest }: SignInState,
  { withOrigin }: { withOrigin: boolean },
) {
  return {
    userId: user.id,
    orgId: user.orgId,
    userName: user.userName,
    displayName: user.displayName,
    active: user.active,
    ...(password && { password: { ...password, changed: password.changed.toISOString() } }),
    ...(secondFactor && { secondFactor: { enrolled: secondFactor.enrolled.toISOString() } }),
    connections: [...rest.connections],
    locks: rest.locks.map((one) => ({ ...one, until: one.until.toISOString() })),
    obstacles: [...rest.obstacles],
    steps: [...rest.steps],
    unmetRules: [...rest.unmetRules],
    loginNames: [...rest.loginNames],
    refused: rest.refused.map(({ time, address, userAgent, ...refused }) => ({
      ...refused,
      time: time.toISOString(),
      ...(withOrigin && address !== undefined && { address }),
      ...(withOrigin && userAgent !== undefined && { userAgent }),
    })),
    ...(rest.lastAccepted && { lastAccepted: rest.lastAccepted.toISOString() }),
  };
}
