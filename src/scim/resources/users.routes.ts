import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
import type { Container } from '#src/container.js';
import { directoryErrors } from '#src/directory/errors.js';
import type { User } from '#src/directory/users/user.js';
import { AppError } from '#src/platform/errors.js';
import { refuseOtherMethods } from '../http/refuse-methods.js';
import { permitted, scimContextOf } from '../http/scim-context.js';
import { scimOperation } from '../http/scim-schema.js';
import { parseListQuery, parseProjection, type QueryString } from '../list/parse-query.js';
import { parseSearchRequest } from '../list/parse-search-request.js';
import type { UserRequest } from '../operations/change-for-caller.js';
import type { ScimContext } from '../operations/context.js';
import { createUser } from '../operations/create-user.js';
import { deleteUser } from '../operations/delete-user.js';
import { groupsOfUser } from '../operations/groups-of-users.js';
import type { Scans } from '../operations/list-resources.js';
import { listUsers } from '../operations/list-users.js';
import { managerName } from '../operations/manager-names.js';
import { patchUser } from '../operations/patch-user.js';
import { replaceUser } from '../operations/replace-user.js';
import { entityTag, hasVersion, readEntityTags } from '../protocol/entity-tag.js';
import { scimMediaType } from '../protocol/media-type.js';
import type { Projection } from './project-attributes.js';
import { renderUser, userLocation } from './render-user.js';
import type { ScimResource } from './scim-resource.js';

interface Rendered {
  readonly projection: Projection;
  readonly user: User;
  readonly groups?: readonly ScimResource[] | undefined;
}

type ById = { Params: { id: string }; Querystring: QueryString };

const schemas = {
  list: scimOperation('listUsers', 'Finds users', {
    description:
      'A page of the users of the organization, continued by `startIndex` or by a cursor (RFC 7644 section 3.4.2, RFC 9865).',
    answer: 'UserListResponse',
    query: 'list',
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
    errors: [412],
    condition: 'If-Match',
  }),
};

/** The largest body of a request about one user, in bytes. It has room for the most text of a profile, in any script. */
const bodyLimit = 262_144;

/** The Users endpoint (RFC 7644 section 3.2). */
export function usersRoutes(container: Container, scans: Scans): FastifyPluginAsync {
  const mayRead = permitted('user.read');
  const mayWrite = permitted('user.write');
  const mayDelete = permitted('user.delete');
  const deps = { ...container, scans };
  async function withGroups(context: ScimContext, projection: Projection, user: User): Promise<string> {
    const groups = await groupsOfUser(container, context, { userId: user.id, needed: projection.needed });
    return rendered(context, { projection, user, groups });
  }
  /** The JSON of a user, with the name of the manager. */
  async function rendered(context: ScimContext, { projection, user, groups }: Rendered): Promise<string> {
    const manager = await managerName(container, context, { user, projection });
    return JSON.stringify(projection.project(renderUser(user, context, { groups, managerName: manager })));
  }

  return async (app) => {
    app.addHook('onRoute', (route) => {
      route.bodyLimit ??= bodyLimit;
    });
    app.addHook('onSend', (_request, reply, payload, done) => {
      if (payload !== undefined && payload !== null && payload !== '') reply.type(scimMediaType);
      done(null, payload);
    });

    app.get<{ Querystring: QueryString }>(
      '/Users',
      { config: { heavy: 'list' }, onRequest: mayRead, schema: schemas.list },
      async (request) => {
        const context = scimContextOf(request);
        return JSON.stringify(
          await listUsers(deps, context, parseListQuery(request.query, context.userSchema)),
        );
      },
    );

    app.post(
      '/Users/.search',
      { config: { heavy: 'list' }, onRequest: mayRead, schema: schemas.search },
      async (request) => {
        const context = scimContextOf(request);
        return JSON.stringify(
          await listUsers(deps, context, parseSearchRequest(request.body, context.userSchema)),
        );
      },
    );

    app.post<{ Querystring: QueryString }>(
      '/Users',
      { onRequest: mayWrite, schema: schemas.create },
      async (request, reply) => {
        const context = scimContextOf(request);
        const projection = parseProjection(request.query, context.userSchema);
        const user = await createUser(container, context, request.body);
        reply.code(201).header('location', userLocation(user.id, context.baseUrl));
        reply.header('etag', entityTag(user));
        return rendered(context, { projection, user });
      },
    );

    app.get<ById>('/Users/:id', { onRequest: mayRead, schema: schemas.read }, async (request, reply) => {
      const context = scimContextOf(request);
      const projection = parseProjection(request.query, context.userSchema);
      const { id } = request.params;
      const [user, groups] = await Promise.all([
        container.users.find(context.organization.id, id),
        groupsOfUser(container, context, { userId: id, needed: projection.needed }),
      ]);
      if (user === undefined) throw new AppError(directoryErrors.userNotFound);
      reply.header('content-location', userLocation(user.id, context.baseUrl));
      reply.header('etag', entityTag(user));
      const known = readEntityTags(request.headers['if-none-match']);
      if (known !== undefined && hasVersion(user, known)) return reply.code(304).send();
      return rendered(context, { projection, user, groups });
    });

    app.put<ById>('/Users/:id', { onRequest: mayWrite, schema: schemas.replace }, async (request, reply) => {
      const context = scimContextOf(request);
      const projection = parseProjection(request.query, context.userSchema);
      const user = await replaceUser(container, context, changeOf(request));
      reply.header('content-location', userLocation(user.id, context.baseUrl));
      reply.header('etag', entityTag(user));
      return withGroups(context, projection, user);
    });

    app.patch<ById>('/Users/:id', { onRequest: mayWrite, schema: schemas.patch }, async (request, reply) => {
      const context = scimContextOf(request);
      const { attributes, excludedAttributes } = request.query;
      const projection = parseProjection(request.query, context.userSchema);
      const user = await patchUser(container, context, changeOf(request));
      reply.header('etag', entityTag(user));
      // RFC 7644 section 3.5.2: 204, unless the client asks for attributes.
      if (attributes === undefined && excludedAttributes === undefined) return reply.code(204).send();
      return withGroups(context, projection, user);
    });

    app.delete<ById>(
      '/Users/:id',
      { onRequest: mayDelete, schema: schemas.remove },
      async (request, reply) => {
        const { id, expected } = changeOf(request);
        await deleteUser(container, scimContextOf(request), { id, expected });
        return reply.code(204).send();
      },
    );

    refuseOtherMethods(app, '/Users', ['GET', 'POST']);
    refuseOtherMethods(app, '/Users/.search', ['POST']);
    refuseOtherMethods(app, '/Users/:id', ['GET', 'PUT', 'PATCH', 'DELETE']);
  };
}

/** The user that a request names, the versions that it expects, and the body. */
function changeOf({ params, headers, body }: FastifyRequest<ById>): UserRequest {
  return { id: params.id, expected: readEntityTags(headers['if-match']), body };
}
