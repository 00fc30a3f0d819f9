import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { directoryErrors } from '#src/directory/index.js';
import type { HttpExchange } from '#src/http/base/http-exchange.js';
import type { Group } from '#src/people/groups/index.js';
import { AppError } from '#src/platform/errors.js';
import { listClient } from './http/list-client.js';
import { refuseOtherMethods } from './http/refuse-methods.js';
import { permitted, scimContextOf } from './http/scim-context.js';
import { scimOperation } from './http/scim-schema.js';
import { sendJson, sendPatched } from './http/send-json.js';
import { sendResource } from './http/send-resource.js';
import { parseListQuery, parseProjection, type QueryString } from './list/parse-query.js';
import { parseSearchRequest } from './list/parse-search-request.js';
import {
  createGroup,
  deleteGroup,
  type GroupRequest,
  patchGroup,
  replaceGroup,
} from './operations/change-group.js';
import type { ScimDeps } from './operations/context.js';
import { groupJson } from './operations/group-json.js';
import { listGroups } from './operations/list-groups.js';
import type { Lists } from './operations/list-resources.js';
import { entityTag, hasVersion, readEntityTags } from './protocol/entity-tag.js';
import { readMember } from './resources/read-members.js';
import { groupLocation } from './resources/render-group.js';
import { groupSchema, mostMembers } from './schema/group-attributes.js';

/** The longest body with members, in bytes: 100,000 members with names and URLs. */
const bodyLimit = 25_165_824;

const whole = {
  bodyLimit,
  config: { longList: { name: 'members', read: readMember, most: mostMembers } },
};

type ById = { Params: { id: string }; Querystring: QueryString };

const schemas = {
  list: scimOperation('listGroups', 'Finds groups', {
    description:
      'A page of the groups of the organization, continued by `startIndex` or by a cursor (RFC 7644 section 3.4.2, RFC 9865).',
    answer: 'GroupListResponse',
    query: 'groups',
  }),
  search: scimOperation('searchGroups', 'Finds groups by a body', {
    description: 'The same as the list, with the parameters in the body (RFC 7644 section 3.4.3).',
    body: 'SearchRequest',
    examples: 'search',
    answer: 'GroupListResponse',
  }),
  create: scimOperation('createGroup', 'Creates a group', {
    description: 'The members are users of the organization, by their identifiers (RFC 7644 section 3.3).',
    body: 'GroupRequest',
    examples: 'createGroup',
    query: 'projection',
    answer: 'Group',
    status: 201,
    headers: ['Location', 'ETag'],
    errors: [409],
  }),
  read: scimOperation('readGroup', 'Reads a group', {
    description:
      'With If-None-Match, a version of the group that the client knows is not sent again (RFC 7644 section 3.4.1).',
    answer: 'Group',
    query: 'projection',
    headers: ['Content-Location', 'ETag'],
    also: { 304: ['Content-Location', 'ETag'] },
    condition: 'If-None-Match',
  }),
  replace: scimOperation('replaceGroup', 'Replaces a group and its members', {
    description: 'Users who are no members in the body leave the group (RFC 7644 section 3.5.1).',
    body: 'GroupRequest',
    examples: 'replaceGroup',
    query: 'projection',
    answer: 'Group',
    headers: ['Content-Location', 'ETag'],
    errors: [409, 412],
    condition: 'If-Match',
  }),
  patch: scimOperation('patchGroup', 'Changes parts of a group', {
    description: 'The answer has a body if the query chooses attributes.',
    body: 'PatchOp',
    examples: 'patchGroup',
    query: 'projection',
    answer: 'Group',
    headers: ['ETag'],
    also: { 204: [] },
    errors: [409, 412],
    condition: 'If-Match',
  }),
  remove: scimOperation('deleteGroup', 'Deletes a group', {
    description: 'With If-Match, only this version of the group is deleted (RFC 7644 section 3.6).',
    errors: [409, 412],
    condition: 'If-Match',
  }),
};

const mayRead = permitted('user.read');
const mayWrite = permitted('user.write');

type GroupsDeps = ScimDeps & Lists;

/** The Groups endpoint (RFC 7644 section 3.2). */
export function groupsRoutes(needs: ScimDeps, lists: Lists): FastifyPluginAsync {
  const deps = { ...needs, ...lists };
  return async (app) => {
    addLists(app, deps);
    addGroups(app, deps);
    refuseOtherMethods(app, '/Groups', ['GET', 'POST']);
    refuseOtherMethods(app, '/Groups/.search', ['POST']);
    refuseOtherMethods(app, '/Groups/:id', ['GET', 'PUT', 'PATCH', 'DELETE']);
  };
}

/** Lists, by parameters of the query or by a SearchRequest (RFC 7644 section 3.4.3). */
function addLists(app: FastifyInstance, deps: GroupsDeps): void {
  app.get<{ Querystring: QueryString }>(
    '/Groups',
    { config: { heavy: 'list' }, onRequest: mayRead, schema: schemas.list },
    async (request, reply) => {
      const query = parseListQuery(request.query, groupSchema);
      return sendJson(
        reply,
        await listGroups(deps, scimContextOf(request), { query, client: listClient(reply) }),
      );
    },
  );

  app.post(
    '/Groups/.search',
    { config: { heavy: 'list' }, onRequest: mayRead, schema: schemas.search },
    async (request, reply) => {
      const query = parseSearchRequest(request.body, groupSchema);
      return sendJson(
        reply,
        await listGroups(deps, scimContextOf(request), { query, client: listClient(reply) }),
      );
    },
  );
}

/** The methods of one group. */
function addGroups(app: FastifyInstance, deps: GroupsDeps): void {
  app.post<{ Querystring: QueryString }>(
    '/Groups',
    { ...whole, onRequest: mayWrite, schema: schemas.create },
    async (request, reply) => {
      const context = scimContextOf(request);
      parseProjection(request.query, groupSchema);
      const group = await createGroup(deps, context, { body: request.body });
      reply.code(201).header('location', groupLocation(group.id, context.baseUrl));
      return answerWithGroup(deps, { request, reply }, group);
    },
  );

  app.get<ById>('/Groups/:id', { onRequest: mayRead, schema: schemas.read }, async (request, reply) => {
    const { organization, baseUrl } = scimContextOf(request);
    parseProjection(request.query, groupSchema);
    const group = await requireGroup(deps, organization.id, request.params.id);
    reply.header('content-location', groupLocation(group.id, baseUrl));
    const known = readEntityTags(request.headers['if-none-match']);
    if (known !== undefined && hasVersion(group, known))
      return reply.header('etag', entityTag(group)).code(304).send();
    return answerWithGroup(deps, { request, reply }, group);
  });

  app.put<ById>(
    '/Groups/:id',
    { ...whole, onRequest: mayWrite, schema: schemas.replace },
    async (request, reply) => {
      const context = scimContextOf(request);
      parseProjection(request.query, groupSchema);
      const { id } = request.params;
      await replaceGroup(deps, context, changeOf(request));
      reply.header('content-location', groupLocation(id, context.baseUrl));
      return answerWithGroup(deps, { request, reply }, await requireGroup(deps, context.organization.id, id));
    },
  );

  app.patch<ById>('/Groups/:id', { onRequest: mayWrite, schema: schemas.patch }, async (request, reply) => {
    const context = scimContextOf(request);
    const { attributes, excludedAttributes } = request.query;
    parseProjection(request.query, groupSchema);
    await patchGroup(deps, context, changeOf(request));
    // RFC 7644 section 3.5.2: 204, unless the client asks for attributes.
    if (attributes === undefined && excludedAttributes === undefined) return sendPatched(reply);
    return answerWithGroup(
      deps,
      { request, reply },
      await requireGroup(deps, context.organization.id, request.params.id),
    );
  });

  app.delete<ById>(
    '/Groups/:id',
    { onRequest: permitted('user.delete'), schema: schemas.remove },
    async (request, reply) => {
      const { id, expected } = changeOf(request);
      await deleteGroup(deps, scimContextOf(request), { id, expected });
      return reply.code(204).send();
    },
  );
}

async function requireGroup({ groups }: GroupsDeps, orgId: string, id: string): Promise<Group> {
  const group = await groups.find(orgId, id);
  if (group === undefined) throw new AppError(directoryErrors.groupNotFound);
  return group;
}

/** Answers with the group as it is stored now. */
async function answerWithGroup(
  deps: GroupsDeps,
  { request, reply }: HttpExchange,
  group: Group,
): Promise<string | FastifyReply> {
  const context = scimContextOf(request);
  const projection = parseProjection(request.query as QueryString, groupSchema);
  reply.header('etag', entityTag(group));
  return sendResource({ request, reply, permits: deps.permits }, (slices) =>
    groupJson(deps, context, { group, projection, slices }),
  );
}

/** The group that a request names, the versions that it expects, and the body. */
function changeOf({ params, headers, body }: FastifyRequest<ById>): GroupRequest {
  return { id: params.id, expected: readEntityTags(headers['if-match']), body };
}
