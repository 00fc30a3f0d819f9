import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import {
  addProjectRole,
  changeProjectRole,
  type ProjectRole,
  removeProjectRole,
} from '#src/access/projects/index.js';
import { directoryErrors, objectName, orEmpty, roleKey } from '#src/directory/index.js';
import { pathSegment } from '#src/platform/path-segment.js';
import { inProject } from '../http/in-project.js';
import { orNotFound } from '../http/or-not-found.js';
import { resourceRoutes } from '../http/resource-routes.js';
import { projectParams, removableText, shapedText, strictObject, timestamp } from '../http/schemas.js';
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

const toAdd = strictObject(
  {
    key: Type.String({ description: '1 to 200 characters without spaces', ruled: roleKey }),
    displayName: Type.Optional(displayName),
    group: Type.Optional(group),
  },
  { examples: [{ key: 'editor', displayName: 'Editor', group: 'Content' }] },
);
const change = strictObject(
  {
    displayName: Type.Optional(displayName),
    group: Type.Optional(removableText(1000, orEmpty(objectName))),
  },
  { examples: [{ displayName: 'Chief editor', group: null }] },
);

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
    const routes = resourceRoutes(app, {
      tags: ['projects'],
      all: { path: '/orgs/:orgId/projects/:projectId/roles', params: projectParams },
      one: { path: '/orgs/:orgId/projects/:projectId/roles/:roleKey', params: roleParams },
      shown: role,
      toResponse,
    });
    routes.add({
      onRequest: mayWrite,
      operationId: 'addProjectRole',
      summary: 'Add a role to a project',
      body: toAdd,
      fails: [400, 404, 409],
      run: ({ projectId: id, ...target }, body) => addProjectRole(deps, { id, ...target }, body),
      location: ({ key }, { orgId, projectId }) =>
        `${config.baseUrl}/admin/v1/orgs/${orgId}/projects/${projectId}/roles/${pathSegment(key)}`,
    });
    routes.list({
      onRequest: mayRead,
      operationId: 'listProjectRoles',
      summary: 'List the roles of a project',
      page: ({ orgId, projectId }, page) => projectRoles.page(orgId, { ...page, projectId }),
      keyOf: ({ key }) => key,
    });
    routes.get({
      onRequest: mayRead,
      operationId: 'getProjectRole',
      summary: 'Read a role of a project',
      find: ({ orgId, projectId, roleKey: key }) =>
        orNotFound(projectRoles.find(orgId, { projectId, key }), directoryErrors.projectRoleNotFound),
    });
    routes.change({
      onRequest: mayWrite,
      operationId: 'changeProjectRole',
      summary: 'Change how a role is shown; absent properties stay',
      body: change,
      fails: [400, 404],
      run: ({ projectId: id, roleKey: key, ...target }, body) =>
        changeProjectRole(deps, { id, ...target }, { ...body, key }),
    });
    routes.remove({
      onRequest: mayWrite,
      operationId: 'removeProjectRole',
      summary: 'Remove a role from a project; refused while grants name it',
      fails: [409],
      run: ({ projectId: id, roleKey, ...target }) => removeProjectRole(deps, { id, ...target }, roleKey),
    });
  };
}

function toResponse({ projectId, key, displayName, group, created, lastModified }: ProjectRole) {
  return {
    projectId,
    key,
    displayName,
    ...(group !== undefined && { group }),
    created: created.toISOString(),
    lastModified: lastModified.toISOString(),
  };
}
