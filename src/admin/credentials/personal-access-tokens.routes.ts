import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type, { type Static } from 'typebox';
import {
  addPersonalAccessToken,
  type PersonalAccessToken,
  removePersonalAccessToken,
} from '#src/clients/service-users/index.js';
import { directoryErrors, refusedValue } from '#src/directory/index.js';
import { inOrganization, overServiceUser } from '../http/caller.js';
import { orNotFound } from '../http/or-not-found.js';
import { resourceRoutes } from '../http/resource-routes.js';
import { notBoth, serviceUserParams, strictObject, timestamp, toDate } from '../http/schemas.js';
import type { AdminNeeds } from '../needs/needs.js';

const tokenParams = Type.Object({
  ...serviceUserParams.properties,
  tokenId: Type.String({ maxLength: 200 }),
});

const token = Type.Object(
  { id: Type.String(), created: timestamp, expires: timestamp },
  { title: 'PersonalAccessToken' },
);
const addedToken = Type.Object(
  { ...token.properties, token: Type.String() },
  { title: 'NewPersonalAccessToken' },
);

const tokenBody = strictObject(
  {
    expires: Type.Optional(
      Type.String({ format: 'date-time', description: 'At most 366 days ahead; 90 days if absent' }),
    ),
    expiresInSeconds: Type.Optional(
      Type.Integer({
        minimum: 1,
        description: 'Instead of `expires`; at most 366 days',
        ruled: { maximum: 366 * 24 * 3600 },
      }),
    ),
  },
  {
    examples: [{ expiresInSeconds: 2_592_000 }],
    ruled: notBoth('expires', 'expiresInSeconds'),
  },
);

/** Routes for the personal access tokens of service users. */
export function personalAccessTokenRoutes(
  deps: Pick<
    AdminNeeds,
    'caches' | 'clock' | 'events' | 'memberships' | 'mongo' | 'personalAccessTokens' | 'serviceUsers'
  >,
): FastifyPluginAsyncTypebox {
  const { personalAccessTokens, serviceUsers } = deps;
  const mayRead = inOrganization(deps, 'org.read');
  const mayChange = [inOrganization(deps, 'org.write'), overServiceUser(deps)];

  return async (app) => {
    const routes = resourceRoutes(app, {
      tags: ['credentials'],
      all: { path: '/orgs/:orgId/service-users/:id/tokens', params: serviceUserParams },
      one: { path: '/orgs/:orgId/service-users/:id/tokens/:tokenId', params: tokenParams },
      shown: token,
      toResponse: tokenToResponse,
    });
    routes.addPart({
      onRequest: mayChange,
      operationId: 'addPersonalAccessToken',
      summary: 'Add a personal access token, shown only in this answer',
      body: tokenBody,
      answer: addedToken,
      fails: [400, 404, 409],
      async run({ orgId, id: userId, editor }, body) {
        const added = await addPersonalAccessToken(deps, { orgId, userId, ...expiryOf(body), editor });
        return { ...tokenToResponse(added.stored), token: added.token };
      },
    });
    routes.list({
      onRequest: mayRead,
      operationId: 'listPersonalAccessTokens',
      summary: 'List the personal access tokens of a service user, without the tokens',
      async page({ orgId, id: userId }, page) {
        await orNotFound(serviceUsers.find(orgId, userId), directoryErrors.serviceUserNotFound);
        return personalAccessTokens.page(orgId, { userId, ...page });
      },
      keyOf: ({ id }) => id,
    });
    routes.remove({
      onRequest: mayChange,
      operationId: 'removePersonalAccessToken',
      summary: 'Remove a personal access token; it is refused from then on',
      run: ({ orgId, id: userId, tokenId: id, editor }) =>
        removePersonalAccessToken(deps, { orgId, userId, id, editor }),
    });
  };
}

/** @throws AppError `directory.valueInvalid` if both are given */
function expiryOf({ expires, expiresInSeconds }: Static<typeof tokenBody>): {
  expires?: Date;
  lifeMs?: number;
} {
  if (expires !== undefined && expiresInSeconds !== undefined) {
    const detail = 'expires and expiresInSeconds exclude each other';
    throw refusedValue('expiresInSeconds', 'excluded', detail, { other: 'expires' });
  }
  if (expires !== undefined) return { expires: toDate(expires) };
  if (expiresInSeconds === undefined) return {};
  return { lifeMs: expiresInSeconds * 1000 };
}

function tokenToResponse({ id, created, expires }: PersonalAccessToken) {
  return { id, created: created.toISOString(), expires: expires.toISOString() };
}
