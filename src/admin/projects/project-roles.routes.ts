import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import {
  addProjectRole,
  changeProjectRole,
  type ProjectRole,
  removeProjectRole,
} from '#src/access/projects/index.js';
import { directoryErrors, objectName, orEmpty, roleKey } from '#src/directory/index.js';
import { AppError } from '#src/platform/errors.js';
import { pathSegment } from '#src/platform/path-segment.js';
import { editorOf } from '../http/caller.js';
import { inProject } from '../http/in-project.js';
import {
  answerKeyedPage,
  located,
  noContent,
  pageOf,
  pageQuery,
  problems,
  projectParams,
  removableText,
  security,
  shapedText,
  strictObject,
  timestamp,
} from '../http/schemas.js';
import type { AdminNeeds } from '../needs/needs.js';

const role = Type.Object(
  {
    projectId: Type.String(),
    key: Type.String(),
    displayName: Type.String(),
    group: Type.Optional(Type.String()),
    created: timestamp,
    lastModified: timestamp,
  },
  { title: 'ProjectRole' },
);

const displayName = shapedText(1000, objectName);
const group = shapedText(1000, orEmpty(objectName));
const roleParams = Type.Object({
  ...projectParams.properties,
  roleKey: Type.String({ minLength: 1, maxLength: 200 }),
});

const tags = ['projects'];

/** Routes for the roles that the applications of a project know. */
export function projectRoleRoutes(
  deps: Pick<
    AdminNeeds,
    | 'caches'
    | 'clock'
    | 'config'
    | 'events'
    | 'groupGrants'
    | 'mongo'
    | 'projectMembers'
    | 'projectRoles'
    | 'projects'
    | 'userGrants'
  >,
): FastifyPluginAsyncTypebox {
  const { projectRoles, config } = deps;
  const mayRead = inProject(deps, 'org.read');
  const mayWrite = inProject(deps, 'org.write');

  return async (app) => {
    app.post(
      '/orgs/:orgId/projects/:projectId/roles',
      {
        onRequest: mayWrite,
        schema: {
          tags,
          security,
          operationId: 'addProjectRole',
          summary: 'Add a role to a project',
          params: projectParams,
          body: strictObject(
            {
              key: Type.String({ description: '1 to 200 characters without spaces', ruled: roleKey }),
              displayName: Type.Optional(displayName),
              group: Type.Optional(group),
            },
            { examples: [{ key: 'editor', displayName: 'Editor', group: 'Content' }] },
          ),
          response: { 201: role, ...problems(400, 404, 409) },
          described: () => located,
        },
      },
      async (request, reply) => {
        const { orgId, projectId: id } = request.params;
        const target = { orgId, id, editor: editorOf(request) };
        const added = await addProjectRole(deps, target, request.body);
        const path = `/admin/v1/orgs/${orgId}/projects/${id}/roles/${pathSegment(added.key)}`;
        return reply.code(201).header('location', `${config.baseUrl}${path}`).send(present(added));
      },
    );

    app.get(
      '/orgs/:orgId/projects/:projectId/roles',
      {
        onRequest: mayRead,
        schema: {
          tags,
          security,
          operationId: 'listProjectRoles',
          summary: 'List the roles of a project',
          params: projectParams,
          querystring: pageQuery,
          response: { 200: pageOf(role), ...problems(400, 404) },
        },
      },
      async (request) => {
        const { orgId, projectId } = request.params;
        return answerKeyedPage(request.query, (page) => projectRoles.page(orgId, { ...page, projectId }), {
          present,
          keyOf: ({ key }) => key,
        });
      },
    );

    app.get(
      '/orgs/:orgId/projects/:projectId/roles/:roleKey',
      {
        onRequest: mayRead,
        schema: {
          tags,
          security,
          operationId: 'getProjectRole',
          summary: 'Read a role of a project',
          params: roleParams,
          response: { 200: role, ...problems(404) },
        },
      },
      async (request) => {
        const { orgId, projectId, roleKey: key } = request.params;
        const found = await projectRoles.find(orgId, { projectId, key });
        if (found === undefined) throw new AppError(directoryErrors.projectRoleNotFound);
        return present(found);
      },
    );

    app.patch(
      '/orgs/:orgId/projects/:projectId/roles/:roleKey',
      {
        onRequest: mayWrite,
        schema: {
          tags,
          security,
          operationId: 'changeProjectRole',
          summary: 'Change how a role is shown; absent properties stay',
          params: roleParams,
          body: strictObject(
            {
              displayName: Type.Optional(displayName),
              group: Type.Optional(removableText(1000, orEmpty(objectName))),
            },
            { examples: [{ displayName: 'Chief editor', group: null }] },
          ),
          response: { 200: role, ...problems(400, 404) },
        },
      },
      async (request) => {
        const { orgId, projectId: id, roleKey: key } = request.params;
        const target = { orgId, id, editor: editorOf(request) };
        return present(await changeProjectRole(deps, target, { ...request.body, key }));
      },
    );

    app.delete(
      '/orgs/:orgId/projects/:projectId/roles/:roleKey',
      {
        onRequest: mayWrite,
        schema: {
          tags,
          security,
          operationId: 'removeProjectRole',
          summary: 'Remove a role from a project; refused while grants name it',
          params: roleParams,
          response: { 204: noContent, ...problems(404, 409) },
        },
      },
      async (request, reply) => {
        const { orgId, projectId: id, roleKey } = request.params;
        await removeProjectRole(deps, { orgId, id, editor: editorOf(request) }, roleKey);
        return reply.code(204).send(null);
      },
    );
  };
}

function present({ projectId, key, displayName, group, created, lastModified }: ProjectRole) {
  return {
    projectId,
    key,
    displayName,
    ...(group !== undefined && { group }),
    created: created.toISOString(),
    lastModified: lastModified.toISOString(),
  };
}
