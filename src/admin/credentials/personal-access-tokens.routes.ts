import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type, { type Static } from 'typebox';
import {
  addPersonalAccessToken,
  type PersonalAccessToken,
  removePersonalAccessToken,
  type ServiceUser,
} from '#src/clients/service-users/index.js';
import { directoryErrors } from '#src/directory/index.js';
import { AppError } from '#src/platform/errors.js';
import { editorOf, inOrganization, overServiceUser } from '../http/caller.js';
import {
  answerPage,
  noContent,
  notBoth,
  pageOf,
  pageQuery,
  problems,
  security,
  serviceUserParams,
  strictObject,
  timestamp,
  toDate,
} from '../http/schemas.js';
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

const tags = ['credentials'];

/** Routes for the personal access tokens of service users. */
export function personalAccessTokenRoutes(
  deps: Pick<
    AdminNeeds,
    'caches' | 'clock' | 'events' | 'memberships' | 'mongo' | 'personalAccessTokens' | 'serviceUsers'
  >,
): FastifyPluginAsyncTypebox {
  const { personalAccessTokens } = deps;
  const mayRead = inOrganization(deps, 'org.read');
  const mayChange = [inOrganization(deps, 'org.write'), overServiceUser(deps)];

  return async (app) => {
    app.post(
      '/orgs/:orgId/service-users/:id/tokens',
      {
        onRequest: mayChange,
        schema: {
          tags,
          security,
          operationId: 'addPersonalAccessToken',
          summary: 'Add a personal access token, shown only in this answer',
          params: serviceUserParams,
          body: tokenBody,
          response: {
            201: addedToken,
            ...problems(400, 404, 409),
          },
        },
      },
      async (request, reply) => {
        const { orgId, id: userId } = request.params;
        const added = await addPersonalAccessToken(deps, {
          orgId,
          userId,
          ...expiryOf(request.body),
          editor: editorOf(request),
        });
        return reply.code(201).send({ ...presentToken(added.stored), token: added.token });
      },
    );

    app.get(
      '/orgs/:orgId/service-users/:id/tokens',
      {
        onRequest: mayRead,
        schema: {
          tags,
          security,
          operationId: 'listPersonalAccessTokens',
          summary: 'List the personal access tokens of a service user, without the tokens',
          params: serviceUserParams,
          querystring: pageQuery,
          response: { 200: pageOf(token), ...problems(400, 404) },
        },
      },
      async (request) => {
        const { orgId, id: userId } = await requireServiceUser(request.params);
        const find = (page: { after?: string; limit: number }) =>
          personalAccessTokens.page(orgId, { userId, ...page });
        return answerPage(request.query, find, presentToken);
      },
    );

    app.delete(
      '/orgs/:orgId/service-users/:id/tokens/:tokenId',
      {
        onRequest: mayChange,
        schema: {
          tags,
          security,
          operationId: 'removePersonalAccessToken',
          summary: 'Remove a personal access token; it is refused from then on',
          params: tokenParams,
          response: { 204: noContent, ...problems(404) },
        },
      },
      async (request, reply) => {
        const { orgId, id: userId, tokenId: id } = request.params;
        await removePersonalAccessToken(deps, { orgId, userId, id, editor: editorOf(request) });
        return reply.code(204).send(null);
      },
    );
  };

  async function requireServiceUser({ orgId, id }: { orgId: string; id: string }): Promise<ServiceUser> {
    const found = await deps.serviceUsers.find(orgId, id);
    if (found === undefined) throw new AppError(directoryErrors.serviceUserNotFound);
    return found;
  }
}

/** @throws AppError `directory.valueInvalid` if both are given */
function expiryOf({ expires, expiresInSeconds }: Static<typeof tokenBody>): {
  expires?: Date;
  lifeMs?: number;
} {
  if (expires !== undefined && expiresInSeconds !== undefined) {
    throw new AppError(directoryErrors.valueInvalid, {
      detail: 'expires and expiresInSeconds exclude each other',
    });
  }
  if (expires !== undefined) return { expires: toDate(expires) };
  if (expiresInSeconds === undefined) return {};
  return { lifeMs: expiresInSeconds * 1000 };
}

function presentToken({ id, created, expires }: PersonalAccessToken) {
  return { id, created: created.toISOString(), expires: expires.toISOString() };
}
