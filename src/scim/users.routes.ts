import type { FastifyInstance, FastifyPluginAsync, FastifyRequest } from 'fastify';
import { directoryErrors, type User } from '#src/directory/index.js';
import type { HttpExchange } from '#src/http/base/http-exchange.js';
import { AppError } from '#src/platform/errors.js';
import { listClient } from './http/list-client.js';
import { refuseOtherMethods } from './http/refuse-methods.js';
import { permitted, scimContextOf } from './http/scim-context.js';
import { scimOperation } from './http/scim-schema.js';
import { sendJson, sendPatched } from './http/send-json.js';
import { sendResource } from './http/send-resource.js';
import { parseListQuery, parseProjection, type QueryString } from './list/parse-query.js';
import { parseSearchRequest } from './list/parse-search-request.js';
import type { UserRequest } from './operations/change-for-caller.js';
import type { ScimDeps } from './operations/context.js';
import { createUser } from './operations/create-user.js';
import { deleteUser } from './operations/delete-user.js';
import { groupsOfUser, type ReadGroups } from './operations/groups-of-users.js';
import type { Lists } from './operations/list-resources.js';
import { listUsers } from './operations/list-users.js';
import { patchUser } from './operations/patch-user.js';
import { replaceUser } from './operations/replace-user.js';
import { userJson } from './operations/user-json.js';
import { entityTag, hasVersion, readEntityTags } from './protocol/entity-tag.js';
import { scimMediaType } from './protocol/media-type.js';
import type { Projection } from './resources/project-attributes.js';
import { userLocation } from './resources/render-user.js';

interface Answered {
  readonly projection: Projection;
  readonly user: User;
  readonly groups: ReadGroups;
}

/** A new user is in no group. */
const noGroups: ReadGroups = new Map();

type ById = { Params: { id: string }; Querystring: QueryString };

const schemas = {
  list: scimOperation('listUsers', 'Finds users', {
    description:
      'A page of the users of the organization, continued by `startIndex` or by a cursor (RFC 7644 section 3.4.2, RFC 9865).',
    answer: 'UserListResponse',
    query: 'users',
  }),
  search: scimOperation('searchUsers', 'Finds users by a body', {
    description: 'The same as the list, with the parameters in the body (RFC 7644 section 3.4.3).',
    body: 'SearchRequest',
    examples: 'search',
    answer: 'UserListResponse',
  }),
  create: scimOperation('createUser', 'Creates a user', {
    description: 'No other user of the organization may have the userName (RFC 7644 section 3.3).',
    body: 'UserRequest',
    examples: 'createUser',
    query: 'projection',
    answer: 'User',
    status: 201,
    headers: ['Location', 'ETag'],
    errors: [409],
  }),
  read: scimOperation('readUser', 'Reads a user', {
    description:
      'With If-None-Match, a version of the user that the client knows is not sent again (RFC 7644 section 3.4.1).',
    answer: 'User',
    query: 'projection',
    headers: ['Content-Location', 'ETag'],
    also: { 304: ['Content-Location', 'ETag'] },
    condition: 'If-None-Match',
  }),
  replace: scimOperation('replaceUser', 'Replaces a user', {
    description: 'Attributes that are left out are removed, except `active` and the password.',
    body: 'UserRequest',
    examples: 'replaceUser',
    query: 'projection',
    answer: 'User',
    headers: ['Content-Location', 'ETag'],
    errors: [409, 412],
    condition: 'If-Match',
  }),
  patch: scimOperation('patchUser', 'Changes parts of a user', {
    description: 'The answer has a body if the query chooses attributes.',
    body: 'PatchOp',
    examples: 'patchUser',
    query: 'projection',
    answer: 'User',
    headers: ['ETag'],
    also: { 204: ['ETag'] },
    errors: [409, 412],
    condition: 'If-Match',
  }),
  remove: scimOperation('deleteUser', 'Deletes a user', {
    description: 'With If-Match, only this version of the user is deleted (RFC 7644 section 3.6).',
    errors: [409, 412],
    condition: 'If-Match',
  }),
};

/** The largest body of a request about one user, in bytes. It has room for the most text of a profile, in any script. */
const bodyLimit = 262_144;

const mayRead = permitted('user.read');
const mayWrite = permitted('user.write');

type UsersDeps = ScimDeps & Lists;

/** The Users endpoint (RFC 7644 section 3.2). */
export function usersRoutes(needs: ScimDeps, lists: Lists): FastifyPluginAsync {
  const deps = { ...needs, ...lists };
  return async (app) => {
    app.addHook('onRoute', (route) => {
      route.bodyLimit ??= bodyLimit;
    });
    app.addHook('onSend', (_request, reply, payload, done) => {
      if (payload !== undefined && payload !== null && payload !== '') reply.type(scimMediaType);
      done(null, payload);
    });
    addLists(app, deps);
    addUsers(app, deps);
    refuseOtherMethods(app, '/Users', ['GET', 'POST']);
    refuseOtherMethods(app, '/Users/.search', ['POST']);
    refuseOtherMethods(app, '/Users/:id', ['GET', 'PUT', 'PATCH', 'DELETE']);
  };
}

/** Lists, by parameters of the query or by a SearchRequest (RFC 7644 section 3.4.3). */
function addLists(app: FastifyInstance, deps: UsersDeps): void {
  app.get<{ Querystring: QueryString }>(
    '/Users',
    { config: { heavy: 'list' }, onRequest: mayRead, schema: schemas.list },
    async (request, reply) => {
      const context = scimContextOf(request);
      const query = parseListQuery(request.query, context.userSchema);
      return sendJson(reply, await listUsers(deps, context, { query, client: listClient(reply) }));
    },
  );

  app.post(
    '/Users/.search',
    { config: { heavy: 'list' }, onRequest: mayRead, schema: schemas.search },
    async (request, reply) => {
      const context = scimContextOf(request);
      const query = parseSearchRequest(request.body, context.userSchema);
      return sendJson(reply, await listUsers(deps, context, { query, client: listClient(reply) }));
    },
  );
}

/** The methods of one user. */
function addUsers(app: FastifyInstance, deps: UsersDeps): void {
  app.post<{ Querystring: QueryString }>(
    '/Users',
    { onRequest: mayWrite, schema: schemas.create },
    async (request, reply) => {
      const context = scimContextOf(request);
      const projection = parseProjection(request.query, context.userSchema);
      const user = await createUser(deps, context, request.body);
      reply.code(201).header('location', userLocation(user.id, context.baseUrl));
      reply.header('etag', entityTag(user));
      return answerWithUser(deps, { request, reply }, { projection, user, groups: noGroups });
    },
  );

  app.get<ById>('/Users/:id', { onRequest: mayRead, schema: schemas.read }, async (request, reply) => {
    const context = scimContextOf(request);
    const projection = parseProjection(request.query, context.userSchema);
    const { id } = request.params;
    const [user, groups] = await Promise.all([
      deps.users.find(context.organization.id, id),
      groupsOfUser(deps, context, { userId: id, projection }),
    ]);
    if (user === undefined) throw new AppError(directoryErrors.userNotFound);
    reply.header('content-location', userLocation(user.id, context.baseUrl));
    reply.header('etag', entityTag(user));
    const known = readEntityTags(request.headers['if-none-match']);
    if (known !== undefined && hasVersion(user, known)) return reply.code(304).send();
    return answerWithUser(deps, { request, reply }, { projection, user, groups });
  });

  app.put<ById>('/Users/:id', { onRequest: mayWrite, schema: schemas.replace }, async (request, reply) => {
    const context = scimContextOf(request);
    const projection = parseProjection(request.query, context.userSchema);
    const user = await replaceUser(deps, context, changeOf(request));
    reply.header('content-location', userLocation(user.id, context.baseUrl));
    reply.header('etag', entityTag(user));
    const groups = await groupsOfUser(deps, context, { userId: user.id, projection });
    return answerWithUser(deps, { request, reply }, { projection, user, groups });
  });

  app.patch<ById>('/Users/:id', { onRequest: mayWrite, schema: schemas.patch }, async (request, reply) => {
    const context = scimContextOf(request);
    const { attributes, excludedAttributes } = request.query;
    const projection = parseProjection(request.query, context.userSchema);
    const user = await patchUser(deps, context, changeOf(request));
    reply.header('etag', entityTag(user));
    // RFC 7644 section 3.5.2: 204, unless the client asks for attributes.
    if (attributes === undefined && excludedAttributes === undefined) return sendPatched(reply);
    const groups = await groupsOfUser(deps, context, { userId: user.id, projection });
    return answerWithUser(deps, { request, reply }, { projection, user, groups });
  });

  app.delete<ById>(
    '/Users/:id',
    { onRequest: permitted('user.delete'), schema: schemas.remove },
    async (request, reply) => {
      const { id, expected } = changeOf(request);
      await deleteUser(deps, scimContextOf(request), { id, expected });
      return reply.code(204).send();
    },
  );
}

/** Answers with a user. If it has many groups, they are read while they are sent. */
function answerWithUser(
  deps: UsersDeps,
  exchange: HttpExchange,
  of: Answered,
): ReturnType<typeof sendResource> {
  const context = scimContextOf(exchange.request);
  return sendResource({ ...exchange, permits: deps.permits }, (slices) =>
    userJson(deps, context, { ...of, slices }),
  );
}

/** The user that a request names, the versions that it expects, and the body. */
function changeOf({ params, headers, body }: FastifyRequest<ById>): UserRequest {
  return { id: params.id, expected: readEntityTags(headers['if-match']), body };
}
