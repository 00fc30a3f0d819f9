import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import {
  type ConnectionState,
  connectionObstacles,
  readConnectionStates,
} from '#src/connections/identities/index.js';
import { inOrganization } from '../http/caller.js';
import { problems, security, timestamp, userParams } from '../http/schemas.js';
import type { AdminNeeds } from '../needs/needs.js';

/** What this route uses. */
type Deps = Pick<AdminNeeds, 'accounts' | 'caches' | 'events' | 'identityLinks'>;

const shownState = Type.Object({
  connectionId: Type.String(),
  name: Type.String(),
  obstacles: Type.Array(Type.Enum([...connectionObstacles]), {
    description:
      'What prevents a sign-in of the user by this connection: `off`, `notLinked` (a rule of the connection may link the first sign-in), ' +
      '`inactive`, or `roleOutside` (a role in the instance or in another organization). Empty if nothing does',
  }),
  creates: Type.Boolean({
    description: 'Whether a first sign-in that no rule links makes a new user, who is not this one',
  }),
  externalId: Type.Optional(
    Type.String({
      description:
        'The `externalId` that the SCIM client of the connection gave the user. It is its own: other clients do not see it',
    }),
  ),
  lastSignIn: Type.Optional(timestamp),
  refusals: Type.Array(
    Type.Object({
      time: timestamp,
      reason: Type.String(),
      detail: Type.Optional(Type.String()),
      isOwn: Type.Boolean({ description: 'Whether it was this user for certain' }),
    }),
    {
      description:
        'The last ten refusals of the connection that may be of this user, the newest first. Those of other users are left out',
    },
  ),
});

/** The route that says why a user cannot sign in by the connections of the organization. */
export function connectionStateRoutes(deps: Deps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/orgs/:orgId/users/:id/connection-states',
      {
        onRequest: inOrganization(deps, 'user.read'),
        schema: {
          tags: ['connections'],
          security,
          operationId: 'listConnectionStates',
          summary: 'Read what prevents that a user signs in by the connections of the organization',
          params: userParams,
          response: { 200: Type.Object({ items: Type.Array(shownState) }), ...problems(404) },
        },
      },
      async ({ params: { orgId, id: userId } }) => ({
        items: (await readConnectionStates(deps, { orgId, userId })).map(toResponse),
      }),
    );
  };
}

function toResponse({ obstacles, lastSignIn, refusals, ...state }: ConnectionState) {
  return {
    ...state,
    obstacles: [...obstacles],
    ...(lastSignIn && { lastSignIn: lastSignIn.toISOString() }),
    refusals: refusals.map(({ time, ...refusal }) => ({ ...refusal, time: time.toISOString() })),
  };
}
